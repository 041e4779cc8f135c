"""The specification, executable: plain slow obvious Python with the names of the native module. Nothing plays by it."""

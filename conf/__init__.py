"""The configuration as the package c4.conf, so that an installed c4 finds it. Values only; c4.params has meanings."""

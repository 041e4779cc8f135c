"""The configuration as the package c4.conf, so that an installed c4 finds it. Values only; meanings are in c4.params."""

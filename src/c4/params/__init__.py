"""Every knob's meaning, unit, range and direction of effect. Values stand in conf/ only."""

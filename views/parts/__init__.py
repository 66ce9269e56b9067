"""Small widgets and texts that several packages use. They depend on Qt, theme and messages only."""

"""Small widgets and words that several rooms use. They know Qt, theme and messages, and no room."""

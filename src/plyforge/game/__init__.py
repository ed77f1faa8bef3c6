"""One game in one variant: its rules behind one object, its history, its texts, its loading."""

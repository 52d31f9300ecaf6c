"""What `race` is made of: installing the peers, running them, judging what they show, and telling it."""

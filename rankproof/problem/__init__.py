"""What is asked: fields, spaces, targets, units and questions, as plain frozen data."""

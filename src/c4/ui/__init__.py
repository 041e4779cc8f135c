"""What people see: terminal and web. The only room that imports rich, textual and fastapi."""

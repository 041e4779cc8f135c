"""What people are shown: tables in words, charts, boards, pages and pictures. Figures come from `evaluation/`."""

"""The heatmap and its neighbouring plots. Painted cell by cell: averaging cells would falsify noise."""

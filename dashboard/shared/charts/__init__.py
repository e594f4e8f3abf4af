"""Charts drawn on the server. One prepared object per chart gives the drawing, the table, the file and the sentence.

A chart is made once, from checked numbers; everything people see of it is derived from the same rows:

    chart.drawing()    shapes for the page: SVG without words, words are HTML around it
    chart.columns(), chart.rows()    the table twin, and with the raw values the CSV file
    chart.svg()        a picture of its own with words in it; the browser makes the PNG from it
    chart.sentence()   what the chart says, for people who hear it and for people in a hurry

Coordinates are whole numbers (tenths of a thousandth of the width), paths are relative, and a line with more points than
pixels keeps the smallest and largest value of each pixel: 10,000 points are one path that looks the same.
"""

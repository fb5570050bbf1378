#!/usr/bin/env python3
"""Makes earthquakes.jsonl out of the earthquakes.json of the npm package vega-datasets (see README.md here).

    make_earthquakes.py package/data/earthquakes.json > earthquakes.jsonl
"""
import datetime
import json
import sys

SMALLEST = 2.0
BAD_ROW_AT = 219  # in the middle, so that a service has to go on after it
BAD_ROW = {"id": "bad00000001", "time": "2018-02-03T12:00:00.000Z", "magnitude": "strong", "depth_km": 10,
           "place": "This row is wrong on purpose", "longitude": 0, "latitude": 0}


def row(feature):
    facts = feature["properties"]
    longitude, latitude, depth = feature["geometry"]["coordinates"]
    seconds, millis = divmod(facts["time"], 1000)
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return {"id": feature["id"], "time": f"{time:%Y-%m-%dT%H:%M:%S}.{millis:03}Z", "magnitude": facts["mag"],
            "depth_km": depth, "place": facts["place"], "longitude": longitude, "latitude": latitude}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        features = json.load(file)["features"]
    rows = [row(f) for f in features
            if f["properties"]["type"] == "earthquake" and f["properties"]["mag"] >= SMALLEST]
    rows.sort(key=lambda r: r["time"])
    rows.insert(BAD_ROW_AT, BAD_ROW)
    for each in rows:
        print(json.dumps(each, separators=(",", ":"), ensure_ascii=False))


if __name__ == "__main__":
    main()

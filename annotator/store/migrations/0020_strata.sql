-- Reference corpora, and the place of every item on the rarity grid.

CREATE TABLE reference_corpus (             -- imported ones; wordfreq's lists need no row
  name TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('counts', 'text', 'words')),
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  words INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE reference_table (              -- words and n-grams with their counts, compressed (metrics/strata/packing.py)
  reference TEXT NOT NULL,
  part TEXT NOT NULL,                       -- words, trigrams, contained-1, contained-2, clusters, pairs
  version TEXT NOT NULL,                    -- of the packing and of the list; another version is rebuilt
  by_order INTEGER NOT NULL,
  names BLOB NOT NULL,
  counts BLOB NOT NULL,
  PRIMARY KEY (reference, part)
);

CREATE TABLE stratum_set (                  -- one placing of the items: a reference, axes, letters, edges, language
  set_key INTEGER PRIMARY KEY,
  asked TEXT NOT NULL UNIQUE,
  items_stamp TEXT NOT NULL,                -- what the placing was made of; another stamp is rebuilt
  revision INTEGER NOT NULL,                -- the last one at which the stamp was found to hold
  summary TEXT NOT NULL,
  keys BLOB NOT NULL,                       -- item keys that entered, rising, int64
  places BLOB NOT NULL                      -- (word - 1) * 5 + ngram - 1 of each, int8
);

CREATE TABLE stratum (                      -- the same by cell, so that a page reads one cell alone
  set_key INTEGER NOT NULL REFERENCES stratum_set(set_key) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  item_key INTEGER NOT NULL,
  word_value REAL NOT NULL,
  ngram_value REAL NOT NULL,
  word_rank INTEGER NOT NULL,
  ngram_rank INTEGER NOT NULL,
  word_unit TEXT NOT NULL,                  -- the word, or the rarest cluster, case-folded
  ngram TEXT NOT NULL,                      -- the n-gram that decides, case-folded
  PRIMARY KEY (set_key, place, item_key)
) WITHOUT ROWID;

-- The schema as numbered steps; a file's user_version is the number of steps applied to it. A released step is never
-- changed, not even by a space: the schema of a file is compared with the steps. New ones are added after the last.
-- Each step also fills its tables for the records of older files, apart from those that step 7 drops.

-- 1. The records. Pictures have their own table, so that lists never read them; ids are not reused.

CREATE TABLE images (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            resolution TEXT NOT NULL,
            style TEXT,
            medium TEXT,
            filter TEXT,
            favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        ) STRICT;

CREATE TABLE pictures (
            image_id INTEGER PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
            png BLOB NOT NULL,
            digest TEXT NOT NULL
        ) STRICT;

CREATE TABLE documents (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            template_id INTEGER NOT NULL,
            prompt TEXT NOT NULL,
            creativity REAL NOT NULL,
            result TEXT NOT NULL,
            favorite INTEGER NOT NULL DEFAULT 0 CHECK (favorite IN (0, 1)),
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        ) STRICT;

CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO counters VALUES ('take', 0);

-- 2. Keep totals, and narrow indexes with the filtered columns.

CREATE TABLE images_totals (resolution, style, medium, filter, favorite, block, total INTEGER NOT NULL, PRIMARY KEY (resolution, style, medium, filter, favorite, block)) WITHOUT ROWID;
CREATE TRIGGER images_totals_insert AFTER INSERT ON images BEGIN INSERT INTO images_totals VALUES (ifnull(new.resolution, ''), ifnull(new.style, ''), ifnull(new.medium, ''), ifnull(new.filter, ''), ifnull(new.favorite, ''), 0, 1) ON CONFLICT (resolution, style, medium, filter, favorite, block) DO UPDATE SET total = total + 1; END;
CREATE TRIGGER images_totals_delete AFTER DELETE ON images BEGIN UPDATE images_totals SET total = total - 1 WHERE resolution = ifnull(old.resolution, '') AND style = ifnull(old.style, '') AND medium = ifnull(old.medium, '') AND filter = ifnull(old.filter, '') AND favorite = ifnull(old.favorite, '') AND block = 0; END;
CREATE TRIGGER images_totals_update AFTER UPDATE OF resolution, style, medium, filter, favorite ON images BEGIN UPDATE images_totals SET total = total - 1 WHERE resolution = ifnull(old.resolution, '') AND style = ifnull(old.style, '') AND medium = ifnull(old.medium, '') AND filter = ifnull(old.filter, '') AND favorite = ifnull(old.favorite, '') AND block = 0; INSERT INTO images_totals VALUES (ifnull(new.resolution, ''), ifnull(new.style, ''), ifnull(new.medium, ''), ifnull(new.filter, ''), ifnull(new.favorite, ''), 0, 1) ON CONFLICT (resolution, style, medium, filter, favorite, block) DO UPDATE SET total = total + 1; END;

CREATE TABLE documents_totals (template_id, favorite, block, total INTEGER NOT NULL, PRIMARY KEY (template_id, favorite, block)) WITHOUT ROWID;
CREATE TRIGGER documents_totals_insert AFTER INSERT ON documents BEGIN INSERT INTO documents_totals VALUES (ifnull(new.template_id, ''), ifnull(new.favorite, ''), new.id >> 12, 1) ON CONFLICT (template_id, favorite, block) DO UPDATE SET total = total + 1; END;
CREATE TRIGGER documents_totals_delete AFTER DELETE ON documents BEGIN UPDATE documents_totals SET total = total - 1 WHERE template_id = ifnull(old.template_id, '') AND favorite = ifnull(old.favorite, '') AND block = old.id >> 12; END;
CREATE TRIGGER documents_totals_update AFTER UPDATE OF template_id, favorite ON documents BEGIN UPDATE documents_totals SET total = total - 1 WHERE template_id = ifnull(old.template_id, '') AND favorite = ifnull(old.favorite, '') AND block = old.id >> 12; INSERT INTO documents_totals VALUES (ifnull(new.template_id, ''), ifnull(new.favorite, ''), new.id >> 12, 1) ON CONFLICT (template_id, favorite, block) DO UPDATE SET total = total + 1; END;
CREATE INDEX images_by_id ON images (id, resolution, style, medium, filter, favorite);
CREATE INDEX images_by_name ON images (name COLLATE NOCASE, id, resolution, style, medium, filter, favorite);
CREATE INDEX documents_by_id ON documents (template_id, id, favorite);
CREATE INDEX documents_by_name ON documents (template_id, name COLLATE NOCASE, id, favorite);
CREATE INDEX documents_favorites_by_id ON documents (template_id, id, favorite) WHERE favorite = 1;
CREATE INDEX documents_favorites_by_name ON documents (template_id, name COLLATE NOCASE, id, favorite) WHERE favorite = 1;

-- 3. Keep the trigrams of the searched texts.

CREATE VIRTUAL TABLE images_name_trigrams USING fts5 (name, content = '', columnsize = 0, detail = none, tokenize = "trigram case_sensitive 1" );
CREATE TRIGGER images_name_trigrams_insert AFTER INSERT ON images BEGIN INSERT INTO images_name_trigrams (rowid, name) VALUES (new.id, fold(new.name)); END;
CREATE TRIGGER images_name_trigrams_delete AFTER DELETE ON images BEGIN INSERT INTO images_name_trigrams (images_name_trigrams, rowid, name) VALUES ('delete', old.id, fold(old.name)); END;
CREATE TRIGGER images_name_trigrams_update AFTER UPDATE OF name ON images WHEN old.name IS NOT new.name BEGIN INSERT INTO images_name_trigrams (images_name_trigrams, rowid, name) VALUES ('delete', old.id, fold(old.name)); INSERT INTO images_name_trigrams (rowid, name) VALUES (new.id, fold(new.name)); END;

CREATE VIRTUAL TABLE documents_name_trigrams USING fts5 (name, content = '', columnsize = 0, detail = none, tokenize = "trigram case_sensitive 1" );
CREATE TRIGGER documents_name_trigrams_insert AFTER INSERT ON documents BEGIN INSERT INTO documents_name_trigrams (rowid, name) VALUES (new.id, fold(new.name)); END;
CREATE TRIGGER documents_name_trigrams_delete AFTER DELETE ON documents BEGIN INSERT INTO documents_name_trigrams (documents_name_trigrams, rowid, name) VALUES ('delete', old.id, fold(old.name)); END;
CREATE TRIGGER documents_name_trigrams_update AFTER UPDATE OF name ON documents WHEN old.name IS NOT new.name BEGIN INSERT INTO documents_name_trigrams (documents_name_trigrams, rowid, name) VALUES ('delete', old.id, fold(old.name)); INSERT INTO documents_name_trigrams (rowid, name) VALUES (new.id, fold(new.name)); END;

CREATE VIRTUAL TABLE documents_result_trigrams USING fts5 (result, content = '', columnsize = 0, detail = none, tokenize = "trigram case_sensitive 1" );
CREATE TRIGGER documents_result_trigrams_insert AFTER INSERT ON documents BEGIN INSERT INTO documents_result_trigrams (rowid, result) VALUES (new.id, fold(new.result)); END;
CREATE TRIGGER documents_result_trigrams_delete AFTER DELETE ON documents BEGIN INSERT INTO documents_result_trigrams (documents_result_trigrams, rowid, result) VALUES ('delete', old.id, fold(old.result)); END;
CREATE TRIGGER documents_result_trigrams_update AFTER UPDATE OF result ON documents WHEN old.result IS NOT new.result BEGIN INSERT INTO documents_result_trigrams (documents_result_trigrams, rowid, result) VALUES ('delete', old.id, fold(old.result)); INSERT INTO documents_result_trigrams (rowid, result) VALUES (new.id, fold(new.result)); END;

-- 4. The library's identity, which distinguishes it from an earlier library in the same file.

CREATE TABLE identity (id TEXT NOT NULL) STRICT;
INSERT INTO identity VALUES (lower(hex(randomblob(16))));

-- 5. The imported records: the id of each at its source, and its digest on arrival. A deleted one can be imported again.

CREATE TABLE imports (
            source TEXT NOT NULL,
            collection TEXT NOT NULL,
            source_id TEXT NOT NULL,
            record_id INTEGER NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (source, collection, source_id)
        ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX imports_by_record ON imports (collection, record_id);
CREATE TRIGGER images_imports_delete AFTER DELETE ON images BEGIN DELETE FROM imports WHERE collection = 'images' AND record_id = old.id; END;
CREATE TRIGGER documents_imports_delete AFTER DELETE ON documents BEGIN DELETE FROM imports WHERE collection = 'documents' AND record_id = old.id; END;

-- 6. The records that creates with an Idempotency-Key have stored, also deleted ones: another try does not create them again.

CREATE TABLE creations (
            number INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            key TEXT NOT NULL,
            record_id INTEGER NOT NULL,
            digest TEXT NOT NULL,
            created_at TEXT NOT NULL,
            UNIQUE (collection, key)
        ) STRICT;

-- 7. Count and search without totals and trigrams. A text is stored folded if lower(), which knows ASCII, does not fold it.

DROP TRIGGER images_totals_insert;
DROP TRIGGER images_totals_delete;
DROP TRIGGER images_totals_update;
DROP TABLE images_totals;
DROP TRIGGER documents_totals_insert;
DROP TRIGGER documents_totals_delete;
DROP TRIGGER documents_totals_update;
DROP TABLE documents_totals;
DROP TRIGGER images_name_trigrams_insert;
DROP TRIGGER images_name_trigrams_delete;
DROP TRIGGER images_name_trigrams_update;
DROP TABLE images_name_trigrams;
DROP TRIGGER documents_name_trigrams_insert;
DROP TRIGGER documents_name_trigrams_delete;
DROP TRIGGER documents_name_trigrams_update;
DROP TABLE documents_name_trigrams;
DROP TRIGGER documents_result_trigrams_insert;
DROP TRIGGER documents_result_trigrams_delete;
DROP TRIGGER documents_result_trigrams_update;
DROP TABLE documents_result_trigrams;
DROP INDEX documents_favorites_by_id;
DROP INDEX documents_favorites_by_name;

CREATE TABLE images_folded (
    record_id INTEGER PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
    folded_name TEXT
) STRICT;
INSERT INTO images_folded SELECT id, folded(name) FROM images WHERE folded(name) IS NOT NULL;
CREATE TRIGGER images_folded_insert AFTER INSERT ON images BEGIN
    INSERT INTO images_folded SELECT new.id, folded(new.name) WHERE folded(new.name) IS NOT NULL;
END;
CREATE TRIGGER images_folded_update AFTER UPDATE OF name ON images BEGIN
    DELETE FROM images_folded WHERE record_id = new.id;
    INSERT INTO images_folded SELECT new.id, folded(new.name) WHERE folded(new.name) IS NOT NULL;
END;

CREATE TABLE documents_folded (
    record_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    folded_name TEXT,
    folded_result TEXT
) STRICT;
INSERT INTO documents_folded SELECT id, folded(name), folded(result)
    FROM documents WHERE coalesce(folded(name), folded(result)) IS NOT NULL;
CREATE TRIGGER documents_folded_insert AFTER INSERT ON documents BEGIN
    INSERT INTO documents_folded SELECT new.id, folded(new.name), folded(new.result)
    WHERE coalesce(folded(new.name), folded(new.result)) IS NOT NULL;
END;
CREATE TRIGGER documents_folded_update AFTER UPDATE OF name, result ON documents BEGIN
    DELETE FROM documents_folded WHERE record_id = new.id;
    INSERT INTO documents_folded SELECT new.id, folded(new.name), folded(new.result)
    WHERE coalesce(folded(new.name), folded(new.result)) IS NOT NULL;
END;

-- 8. The tokens that a text took, where its engine tells them.

ALTER TABLE documents ADD COLUMN prompt_tokens INTEGER;
ALTER TABLE documents ADD COLUMN completion_tokens INTEGER;

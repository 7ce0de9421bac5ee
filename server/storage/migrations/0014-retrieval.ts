import type { Migration } from './migration.ts'

/**
 * One version of a document. A new version is `building` until it is complete, then it replaces the
 * `ready` one, which is `gone` until its rows are removed gradually. The chunks of a version have
 * consecutive ids from `first_chunk` on.
 */
const DOCUMENT = `create table retrieval_document (
  seq integer primary key autoincrement,
  id text not null,
  state text not null check (state in ('building', 'ready', 'gone')),
  kind text not null,
  name text not null,
  metadata text not null,
  format text not null,
  title text,
  language text,
  pages text not null,
  engine text not null,
  dimensions integer not null default 0,
  splitting text not null,
  first_chunk integer not null default 0,
  chunks integer not null default 0,
  tokens integer not null default 0,
  created_at integer not null
) strict`

/**
 * Texts of a version's chunks, each from `start` to `end` of the document; together they cover all
 * of it. Long columns come last.
 */
const CHUNK = `create table retrieval_chunk (
  id integer primary key,
  document_seq integer not null,
  start integer not null,
  "end" integer not null,
  page integer,
  page_label text,
  tokens integer not null,
  heading text not null,
  preface text not null,
  text text not null
) strict`

/**
 * Vectors as bytes, many chunks per row, so that a scan reads them at the speed of the disk. The
 * vectors themselves are stored in tables of sqlite-vec (`retrieval_vector_<values>`), which the
 * indexing thread creates when it encounters their number of values.
 */
const CODES = `create table retrieval_codes (
  first_chunk integer primary key,
  document_seq integer not null,
  chunks integer not null,
  scales blob not null,
  codes blob not null
) strict`

/** Contentless: the texts stay in `retrieval_chunk`. */
const WORDS = `create virtual table retrieval_words using fts5 (
  heading, content, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
)`

const MEMBER = `create table retrieval_member (
  collection text not null,
  document_id text not null,
  primary key (collection, document_id)
) strict, without rowid`

export const migration: Migration = {
  id: '0014-retrieval',
  statements: [
    DOCUMENT,
    "create unique index retrieval_document_ready on retrieval_document (id) where state = 'ready'",
    'create index retrieval_document_by_id on retrieval_document (id)',
    "create index retrieval_document_unfinished on retrieval_document (seq) where state <> 'ready'",
    CHUNK,
    CODES,
    WORDS,
    'create trigger retrieval_chunk_leaves after delete on retrieval_chunk begin ' +
      'delete from retrieval_words where rowid = old.id; end',
    MEMBER,
    'create index retrieval_member_by_document on retrieval_member (document_id)',
    // Counts the changes of searchable content, so that threads know when to read again; chunk ids
    // are never reused.
    'create table retrieval_generation (value integer not null, next_chunk integer not null) strict',
    'insert into retrieval_generation values (1, 1)',
    ...['insert', 'update of state, name', 'delete'].map(
      (change, place) =>
        `create trigger retrieval_document_changes_${place} after ${change} on retrieval_document begin ` +
        'update retrieval_generation set value = value + 1; end',
    ),
    ...['insert', 'delete'].map(
      (change) =>
        `create trigger retrieval_member_changes_${change} after ${change} on retrieval_member begin ` +
        'update retrieval_generation set value = value + 1; end',
    ),
  ],
}

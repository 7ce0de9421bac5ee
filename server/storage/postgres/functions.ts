/**
 * SQLite functions that statements of the gateway use, created once in the database. Each behaves
 * like SQLite's for the values it is used with.
 */
const FUNCTIONS: readonly string[] = [
  `create or replace function unixepoch() returns bigint language sql volatile
    as $$ select floor(extract(epoch from clock_timestamp()))::bigint $$`,
  `create or replace function instr(whole text, part text) returns bigint language sql immutable strict
    as $$ select position(part in whole)::bigint $$`,
  `create or replace function max(one bigint, other bigint) returns bigint language sql immutable
    as $$ select case when one is null or other is null then null else greatest(one, other) end $$`,
  `create or replace function min(one bigint, other bigint) returns bigint language sql immutable
    as $$ select case when one is null or other is null then null else least(one, other) end $$`,
  `create or replace function randomblob(bytes bigint) returns bytea language sql volatile
    as $$ select substr(decode(string_agg(replace(gen_random_uuid()::text, '-', ''), ''), 'hex'), 1, bytes::integer)
      from generate_series(1, (bytes + 15) / 16) $$`,
  `create or replace function hex(bytes bytea) returns text language sql immutable strict
    as $$ select upper(encode(bytes, 'hex')) $$`,
  // JSON may contain escapes that texts here cannot hold: the character 0, and lone surrogates. An
  // even number of backslashes before an escape are characters themselves.
  // Not strict, so that PostgreSQL makes them a part of the statement; they return null or no rows for
  // a null all the same.
  `create or replace function readable(document text) returns text language sql immutable
    as $$ select case when position('\\u0000' in document) = 0 and position('\\ud' in document) = 0 then document
      else regexp_replace(document, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89ab][0-9a-f]{2}(?!\\\\ud[c-f])|(?<!\\\\ud[89ab][0-9a-f]{2}\\\\u)d[c-f][0-9a-f]{2})',
        '\\1\\\\ufffd', 'g') end $$`,
  // A path contains nested keys, as in '$.usage.total'.
  `create or replace function json_extract(document text, path text) returns text language sql immutable strict
    as $$ select case json_typeof(found) when 'boolean' then ((found #>> '{}')::boolean::integer)::text else found #>> '{}' end
      from (select readable(document)::json #> string_to_array(substr(path, 3), '.') as found) extracted $$`,
  `create or replace function json_each(document text) returns table (key text, value text, type text) language sql immutable
    as $$ select (place - 1)::text, item #>> '{}',
        case json_typeof(item) when 'string' then 'text' when 'number' then 'real' when 'boolean' then item #>> '{}' else json_typeof(item) end
      from json_array_elements(case json_typeof(readable(document)::json) when 'array' then readable(document)::json else '[]'::json end)
        with ordinality as listed (item, place) $$`,
  // Converts a text or a JSON number to an integer like SQLite.
  `create or replace function whole_number(content text) returns bigint language sql immutable strict
    as $$ select case
        when content ~ '^-?\\d{1,250}(\\.\\d{1,250})?([eE][+-]?\\d{1,3})?$'
          then least(greatest(trunc(content::numeric), -9223372036854775807), 9223372036854775807)::bigint
        else coalesce(substring(content from '^\\s*([+-]?\\d{1,18})')::bigint, 0) end $$`,
  // `extra ->> '$.usage'` and `data -> '$.tags'`, which return JSON text.
  `create or replace function json_part(document text, path text) returns text language sql immutable
    as $$ select (readable(document)::json #> string_to_array(substr(path, 3), '.'))::text $$`,
  `do $$ begin
    if to_regoperator('->>(text,text)') is null then
      create operator ->> (leftarg = text, rightarg = text, function = json_extract);
      create operator -> (leftarg = text, rightarg = text, function = json_part);
    end if;
  end $$`,
  `create or replace function count_in(document text, path text) returns bigint language sql immutable
    as $$ select case when json_typeof(found) = 'number' then trunc((found #>> '{}')::numeric)::bigint end
      from (select readable(document)::json #> string_to_array(path, ',') as found) extracted $$`,
  // The first of several counts in the usage of an answer, small enough that sums do not overflow.
  `create or replace function token_count(document text, names text) returns bigint language plpgsql immutable strict
    as $$ declare
      usage json := readable(document)::json -> 'usage';
      name text;
      found text;
    begin
      foreach name in array string_to_array(names, ',') loop
        found := usage ->> name;
        continue when found is null;
        return case when found ~ '^\\d{1,18}$' then least(1000000000, found::bigint)
          when json_typeof(usage -> name) = 'boolean' then (found::boolean::integer)::bigint
          else least(1000000000, greatest(0, whole_number(found))) end;
      end loop;
      return 0;
    end $$`,
  // Normalises a text for comparison in a word index: without case and diacritics.
  `create or replace function folded(content text) returns text language sql immutable strict
    as $$ select lower(regexp_replace(normalize(content, NFD), '[\\u0300-\\u036f]', '', 'g') collate LETTERS) $$`,
  // Returns the words of a text with their positions. A vector stores no positions beyond those of
  // its first words, and at most a megabyte.
  `create or replace function words(content text) returns tsvector language sql immutable strict
    as $$ select coalesce(string_agg('''' || left(word, 200) || ''':' || least(place, 16383), ' ')::tsvector, '') from
      regexp_split_to_table(folded(left(content, 100000)) collate LETTERS, '[^[:alnum:]]+') with ordinality as listed (word, place)
      where word <> '' $$`,
  // Parses a query of SQLite's indexes in the form written by the gateway: quoted phrases, of which
  // the last word may be a prefix, with AND, OR and brackets in between. The column is ignored.
  `create or replace function words_query(query text) returns tsquery language sql immutable strict
    as $$ select coalesce(string_agg(case
        when part[1] is not null then '(' || coalesce((select string_agg('''' || left(word, 200) || '''', ' <-> ' order by place)
          from regexp_split_to_table(folded(part[1]) collate LETTERS, '[^[:alnum:]]+') with ordinality as listed (word, place)
          where word <> ''), ''' ''') || case when part[2] is null then '' else ':*' end || ')'
        when part[3] = 'AND' then '&' when part[3] = 'OR' then '|' when part[3] = 'NOT' then '& !' else part[3] end, ' ' order by at), '')::tsquery
      from regexp_matches(query, '"([^"]*)"( ?\\*)?|(AND|OR|NOT|[()])', 'g') with ordinality as listed (part, at) $$`,
]

/** Collations that determine letters, in the order of preference: those of Unicode first. */
export const LETTER_RULES = ['und-x-icu', 'pg_c_utf8', 'C.utf8', 'C.UTF-8'] as const

/** Returns the functions with a collation that the server has. */
export const functionsWith = (letters: string): string[] =>
  FUNCTIONS.map((text) => text.replaceAll('LETTERS', `"${letters}"`))

import type { Migration } from './migration.ts'

/**
 * Who changed the source of a plugin last, which decides whose process it runs in. Before this was
 * kept anybody with a grant to write could change the source of a tool, so the author of a tool
 * with such a grant is not known.
 */
export const migration: Migration = {
  id: '0022-plugin-authors',
  statements: [
    "alter table plugin add column author_id text not null default ''",
    "update plugin set author_id = user_id where store = 'function' or not exists (select 1 from access_grant " +
      "where resource_type = 'tool' and resource_id = plugin.id and permission = 'write')",
  ],
}

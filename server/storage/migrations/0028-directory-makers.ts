import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0028-directory-makers',
  statements: [
    "alter table knowledge_directory add column user_id text not null default ''",
    'update knowledge_directory set user_id = (select user_id from knowledge where knowledge.id = knowledge_directory.knowledge_id)',
  ],
}

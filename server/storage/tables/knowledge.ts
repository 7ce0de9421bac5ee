/** A collection of files. Times are unix seconds. */
export interface KnowledgeTable {
  id: string
  user_id: string
  name: string
  description: string
  /** Name and description in lower case, for comparison. */
  search_key: string
  /** JSON object. */
  meta: string
  created_at: number
  updated_at: number
}

export interface KnowledgeDirectoryTable {
  id: string
  knowledge_id: string
  /** The creator. */
  user_id: string
  parent_id: string | null
  name: string
  created_at: number
  updated_at: number
}

export interface KnowledgeFileTable {
  knowledge_id: string
  file_id: string
  directory_id: string | null
  /** The user who added it. */
  user_id: string
  created_at: number
}

/** A collection of fetched pages and texts that belongs to one user; `name` is unique per user. */
export interface RetrievalCollectionTable {
  id: string
  user_id: string
  name: string
  kind: 'web' | 'text'
  created_at: number
  updated_at: number
}

/** Tables of knowledge as Kysely sees them. */
export interface KnowledgeTables {
  knowledge: KnowledgeTable
  knowledge_directory: KnowledgeDirectoryTable
  knowledge_file: KnowledgeFileTable
  retrieval_collection: RetrievalCollectionTable
}

/** Tables of tool servers as Kysely sees them. Times are unix seconds. */
export interface ToolServersTables {
  tool_server: {
    id: string
    /** Index in the administrator's list. */
    position: number
    /** JSON object of the fields that are not secret. */
    record: string
    /**
     * Encrypted JSON object: key, headers, variables and the client used for the server's sign-in.
     */
    secrets: string
    /**
     * JSON object of the approved tools: name to hash of the description; null until the first list
     * was received.
     */
    approved: string | null
    created_at: number
    updated_at: number
  }
  tool_server_token: {
    user_id: string
    server_id: string
    /** Encrypted JSON object. */
    token: string
    updated_at: number
  }
  /** Answers of users that are valid for more than one call. */
  tool_answer: {
    user_id: string
    /** Empty for all chats. */
    chat_id: string
    /** `<tool id>/<function>`. */
    tool: string
    decision: 'allow' | 'deny'
    created_at: number
  }
}

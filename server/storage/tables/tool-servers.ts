/** Tables of tool servers as Kysely sees them. Times are unix seconds. */
export interface ToolServersTables {
  tool_server: {
    id: string
    /** Place in the administrator's list. */
    position: number
    /** JSON object: what is no secret. */
    record: string
    /**
     * Encrypted JSON object: key, headers, variables and the client at the sign-in of the server.
     */
    secrets: string
    /**
     * JSON object of the approved tools: name to hash of what it says; null until the first list
     * was seen.
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
  /** Answers people gave for longer than once. */
  tool_answer: {
    user_id: string
    /** Empty for every chat. */
    chat_id: string
    /** `<tool id>/<function>`. */
    tool: string
    decision: 'allow' | 'deny'
    created_at: number
  }
}

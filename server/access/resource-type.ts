/** Types of resources that users share with each other. */
export type ResourceType =
  | 'model'
  | 'prompt'
  | 'note'
  | 'knowledge'
  | 'tool'
  | 'tool_server'
  | 'skill'
  | 'calendar'
  | 'channel'
  | 'chat'

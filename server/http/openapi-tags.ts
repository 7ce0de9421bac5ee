/**
 * Groups of the API document in reading order: first those called by API clients, then those used
 * by screens and administrators.
 */
export const OPENAPI_TAGS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'System',
    description:
      'Health, bootstrap data and descriptions of the gateway. Most of it needs no sign-in.',
  },
  {
    name: 'Sign-in',
    description: 'Accounts, sessions and API keys of the caller, and the rules of entry.',
  },
  {
    name: 'Models',
    description:
      'Models of all connections, workspace models based on them, their grants, and prices.',
  },
  {
    name: 'Completions',
    description:
      'Answers in three dialects: chat completions, the messages API and responses. Each reaches every model of every connection. ' +
      'Failures carry `detail` beside the error object of the dialect, so that client libraries show the sentence.',
  },
  {
    name: 'Generation',
    description:
      'What is written beside answers: titles, tags, next questions, search queries and the like.',
  },
  { name: 'Embeddings', description: 'Vectors of texts.' },
  {
    name: 'Local runtime',
    description:
      'The native API of local model runtimes, byte for byte, behind sign-in and model access. `/ollama` is another prefix of `/llmhost`.',
  },
  {
    name: 'Remote providers',
    description:
      'The API of chat-completions providers, handed through with their status and body.',
  },
  {
    name: 'Chats',
    description:
      'Conversations as trees of messages: reading, writing, searching, sorting, sharing and copying them.',
  },
  {
    name: 'Folders',
    description: 'Nested folders of chats, with instructions and files for every chat in them.',
  },
  { name: 'Import and export', description: 'Archives of chats, of this gateway and of others.' },
  {
    name: 'Prompts',
    description: 'Texts with variables that users insert by a command, with their versions.',
  },
  {
    name: 'Skills',
    description: 'Instructions with files that models read when they need them.',
  },
  { name: 'Memories', description: 'Lasting facts about the caller that models are told.' },
  { name: 'Notes', description: 'Notes of the caller, and notes shared with the caller.' },
  {
    name: 'Channels',
    description:
      'Conversations of users with each other and with models, and webhooks that post there.',
  },
  {
    name: 'Automations',
    description:
      'Prompts that are asked by themselves: on a schedule, or when a program calls their address.',
  },
  {
    name: 'Calendars',
    description: 'Calendars of users, their events, invitations, and the times of automations.',
  },
  {
    name: 'Files',
    description: 'Uploaded files: their bytes, their text, and how far they have been read.',
  },
  {
    name: 'Audio',
    description:
      'Speech of words and words of speech: the engines, their voices, and both directions.',
  },
  {
    name: 'Images',
    description: 'Pictures: engines, making and editing, and the gallery of each user.',
  },
  {
    name: 'Knowledge',
    description:
      'Collections of files with directories, shared with users and groups, and compared with external folders.',
  },
  {
    name: 'Retrieval',
    description:
      'Putting files, texts and web pages where they are found, and asking for the passages that answer a question.',
  },
  {
    name: 'Evaluations',
    description:
      'Ratings of answers, comparisons of models, and entries that answer with a random one.',
  },
  {
    name: 'Analytics',
    description: 'Numbers of answers by model and user, and their cost; without any texts.',
  },
  { name: 'Users', description: 'Accounts, profiles and settings of the interface.' },
  {
    name: 'Groups',
    description: 'Groups of users, and the permissions they add to the defaults.',
  },
  { name: 'Connections', description: 'Local runtimes and remote providers the models come from.' },
  {
    name: 'Tools',
    description: 'Tools written in Python that models may call, their grants, and their settings.',
  },
  {
    name: 'Code',
    description:
      'Python code of users and models: engines, settings, packages, and the files of its runtime.',
  },
  {
    name: 'Functions',
    description: 'Filters, pipes and actions written in Python, and their settings.',
  },
  {
    name: 'Plugins',
    description:
      'What tools and functions run in: the interpreter, environments, processes, and how the last calls went.',
  },
  {
    name: 'Tool servers',
    description: 'Servers with tools for models, over OpenAPI and MCP: grants, state, and sign-in.',
  },
  {
    name: 'Pipelines',
    description: 'Filters and pipes of pipelines servers among the connected providers.',
  },
  {
    name: 'Configuration',
    description:
      'Banners, suggestions and other settings under the paths configuration scripts know.',
  },
  {
    name: 'Webhooks',
    description:
      'URLs that receive events: new accounts, answers without a focused window, and all others.',
  },
  {
    name: 'SCIM',
    description:
      'SCIM 2.0: accounts and groups as the directory of an organisation makes and changes them, with a token of its own.',
  },
  { name: 'Settings', description: 'Every setting with its value and where that comes from.' },
  {
    name: 'Sharing',
    description:
      'The second listener, with HTTPS, for devices of the own network, and passes for guests.',
  },
  {
    name: 'Outgoing connections',
    description: 'What left this computer, why and how much, and what was refused to.',
  },
  {
    name: 'Request log',
    description: 'The last calls of the API, to see what a program really sends.',
  },
  {
    name: 'Built-in runtime',
    description:
      'The models of this computer, which run without another program, and their downloads.',
  },
  {
    name: 'Time machine',
    description: 'Earlier states of the gateway, and objects of users to restore from them.',
  },
  { name: 'Backups', description: 'Checked copies of the database.' },
  {
    name: 'Deletions',
    description: 'What was deleted and is still being removed from the database.',
  },
]

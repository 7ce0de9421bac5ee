import { foundBy, integer, text, toggle } from '../rows.ts'

const TITLE_PROMPT = `Name the conversation below so that its owner recognises it in a list.

Rules:
- Three to six words, in the language the person writes in.
- Say what it is about, not that it is a chat; no quotation marks, no full stop.
- Answer with JSON only: {"title": "…"}

Conversation:
{{MESSAGES:END:2}}`

const TAGS_PROMPT = `Sort the conversation below into topics.

Rules:
- One to three wide subjects, then one to three narrower ones; one or two words each.
- Use the language of the conversation. When it is too short to tell, answer with "General" alone.
- Answer with JSON only: {"tags": ["…", "…"]}

Conversation:
{{MESSAGES:END:6}}`

const FOLLOW_UP_PROMPT = `Think of what the person in the conversation below may want to ask next.

Rules:
- Three to five short questions or requests, worded as the person would write them, in the person's language.
- Each leads on from what was said; none repeats what has been answered.
- Answer with JSON only: {"follow_ups": ["…", "…"]}

Conversation:
{{MESSAGES:END:6}}`

const QUERY_PROMPT = `Decide what should be looked up to answer the last message of the conversation below. Today is {{CURRENT_DATE}}.

Rules:
- One to three short queries, each about another thing, in the words a search would need.
- An empty list when nothing has to be looked up.
- Answer with JSON only: {"queries": ["…", "…"]}

Conversation:
{{MESSAGES:END:6}}`

const IMAGE_PROMPT = `Describe the picture the person in the conversation below wants, for a model that draws.

Rules:
- One paragraph with subject, surroundings, style, light and colours; only what can be seen.
- Keep every wish of the person, and make up the rest so that it fits.
- Answer with JSON only: {"prompt": "…"}

Conversation:
{{MESSAGES:END:6}}`

const AUTOCOMPLETE_PROMPT = `Continue the text a person is typing. Kind of text: {{TYPE}}.

Rules:
- Write only what comes after its last character, at most one sentence, in the same language and tone.
- Never answer the text. When nothing natural follows, leave it empty.
- Answer with JSON only: {"text": "…"}

What was said before:
{{MESSAGES:END:6}}

The text so far:
{{prompt}}`

const VOICE_PROMPT = `You are being spoken with, and your answer is read aloud. Answer in a few plain sentences, as in a conversation: no
lists, headings, tables, code or symbols, and numbers as they are said. Ask when something was not clear.`

const TOOLS_PROMPT = `Decide which of the tools below have to be used to answer the last message of the conversation. Today is {{CURRENT_DATE}}.

Tools:
{{TOOLS}}

Rules:
- Use a tool only where it is needed; an empty list when none is.
- Fill in all required parameters from the conversation; never make up a value.
- Answer with JSON only: {"tool_calls": [{"name": "…", "parameters": {}}]}

Conversation:
{{MESSAGES:END:6}}`

const TEXT = { expression: /\S/, words: 'a text' }
const MESSAGES_HELP = '{{MESSAGES:END:6}} stands for the last six messages.'

/** Settings of texts a model writes besides an answer, of that model, and of its prompts. */
export const taskSettings = foundBy('template', [
  text('TASK_MODEL', '', {
    name: 'Model for background tasks (local)',
    searchWords: 'title tags',
    help: 'Model that writes titles, tags and the like for chats with local models; empty uses the chat’s model.',
  }),
  text('TASK_MODEL_EXTERNAL', '', {
    name: 'Model for background tasks (remote)',
    searchWords: 'title tags',
    help: 'Model that writes titles, tags and the like for chats with remote models; empty uses the chat’s model.',
  }),
  toggle('ENABLE_TITLE_GENERATION', true, {
    name: 'Generate chat titles',
    searchWords: 'name automatic',
    help: 'Lets a model write titles for new chats.',
  }),
  text('TITLE_GENERATION_PROMPT_TEMPLATE', TITLE_PROMPT, {
    name: 'Prompt for titles',
    pattern: TEXT,
    help: 'Prompt for titles; {{MESSAGES:END:2}} stands for the last two messages.',
  }),
  toggle('ENABLE_TAGS_GENERATION', true, {
    name: 'Generate chat tags',
    searchWords: 'labels automatic',
    help: 'Lets a model write tags for chats when a client asks for them.',
  }),
  text('TAGS_GENERATION_PROMPT_TEMPLATE', TAGS_PROMPT, {
    name: 'Prompt for tags',
    pattern: TEXT,
    help: `Prompt for tags; ${MESSAGES_HELP}`,
  }),
  toggle('ENABLE_FOLLOW_UP_GENERATION', true, {
    name: 'Follow-up questions',
    searchWords: 'suggestions',
    help: 'Suggests follow-up questions after answers when a client asks for them.',
  }),
  text('FOLLOW_UP_GENERATION_PROMPT_TEMPLATE', FOLLOW_UP_PROMPT, {
    name: 'Prompt for follow-up questions',
    pattern: TEXT,
    help: `Prompt for follow-up questions; ${MESSAGES_HELP}`,
  }),
  toggle('ENABLE_SEARCH_QUERY_GENERATION', true, {
    name: 'Let a model write web searches',
    searchWords: 'query',
    help: 'Lets a model write the queries for a web search.',
  }),
  toggle('ENABLE_RETRIEVAL_QUERY_GENERATION', true, {
    name: 'Let a model write document searches',
    searchWords: 'query rag',
    help: 'Lets a model write the queries for attached knowledge.',
  }),
  text('QUERY_GENERATION_PROMPT_TEMPLATE', QUERY_PROMPT, {
    name: 'Prompt for searches',
    pattern: TEXT,
    help: `Prompt for queries; {{CURRENT_DATE}} is today, ${MESSAGES_HELP}`,
  }),
  text('TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE', TOOLS_PROMPT, {
    name: 'Prompt for choosing tools',
    searchWords: 'template function',
    pattern: TEXT,
    help: `Prompt that lets a model choose tools for models that cannot call them; {{TOOLS}} stands for them, ${MESSAGES_HELP}`,
  }),
  integer('CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS', 30, [1, 1000], {
    name: 'Maximum tool rounds per answer',
    searchWords: 'limit loop',
    alias: 'CHAT_RESPONSE_MAX_TOOL_CALL_RETRIES',
    help: 'How many times in one answer a model may ask for tools.',
  }),
  text('IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE', IMAGE_PROMPT, {
    name: 'Prompt for describing images',
    pattern: TEXT,
    help: `Prompt for the description of an image; ${MESSAGES_HELP}`,
  }),
  toggle('ENABLE_AUTOCOMPLETE_GENERATION', false, {
    name: 'Autocomplete',
    searchWords: 'autocomplete',
    help: 'Lets clients ask a model to complete a text while it is typed.',
  }),
  integer('AUTOCOMPLETE_GENERATION_INPUT_MAX_LENGTH', -1, [-1, 1_000_000], {
    name: 'Longest text to autocomplete',
    searchWords: 'autocomplete limit',
    help: 'Maximum length, in characters, of a text that is completed while it is typed; -1 for no limit.',
  }),
  text('AUTOCOMPLETE_GENERATION_PROMPT_TEMPLATE', AUTOCOMPLETE_PROMPT, {
    name: 'Prompt for autocomplete',
    pattern: TEXT,
    help: 'Prompt for completing text: {{prompt}} is the text so far, {{TYPE}} its purpose.',
  }),
  toggle('ENABLE_VOICE_MODE_PROMPT', true, {
    name: 'Use a voice mode prompt',
    searchWords: 'speech',
    help: 'Tells the model when its answer will be read aloud.',
  }),
  text('VOICE_MODE_PROMPT_TEMPLATE', VOICE_PROMPT, {
    name: 'Voice mode prompt',
    searchWords: 'template speech',
    pattern: TEXT,
    help: 'Instructions for the model when its answer will be read aloud.',
  }),
  toggle('ENABLE_INLINE_OUTLET', true, {
    name: 'Run outlet filters as soon as an answer is complete',
    searchWords: 'plugin',
    help: 'Runs outlet filters as soon as an answer is complete.',
  }),
])

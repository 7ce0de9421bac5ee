import type { SettingDefinition } from '../setting-definition.ts'

const ADDRESS = {
  expression: /^(https?:\/\/[^\s/?#]+(\/\S*)?)?$/i,
  words: 'an address that starts with http:// or https://',
}
const ENGINES = ['pyodide', 'jupyter']

const PROMPT = `You can run Python. Where calculating, reading data or drawing helps, write the code between these tags and stop:

<code_interpreter type="code" lang="python">
print(6 * 7)
</code_interpreter>

The code is run at once, and you are given what it printed, the value of its last line, or its error with the line it is about; then you go on. Mend what failed and run it again, a few times at most.
- Only what is printed, and the value of the last line, is shown to you. Print what you need to know.
- Variables stay between the blocks of one conversation.
- Files the person attached lie in /mnt/uploads. What you write there is given to the person: say its name.
- Draw with matplotlib and do not save the figure; it is shown by itself.
- There is no network, and no package can be installed.
- Do not write a block when no code is needed, never write one in a code fence, and do not make up its output.`

/** Settings of the Jupyter server for one use of code, under the names of the reference system. */
const jupyter = <Use extends 'EXECUTION' | 'INTERPRETER'>(use: Use, where: string, whose: string) =>
  [
    {
      key: `CODE_${use}_JUPYTER_URL`,
      name: `Jupyter address for ${whose} code`,
      type: 'string',
      default: '',
      pattern: ADDRESS,
      help: `Address of the Jupyter server ${where}.`,
    },
    {
      key: `CODE_${use}_JUPYTER_AUTH`,
      name: `Jupyter sign-in for ${whose} code`,
      type: 'string',
      default: '',
      allowed: ['', 'none', 'token', 'password'],
      help: 'How the gateway signs in to that server; empty for no sign-in.',
    },
    {
      key: `CODE_${use}_JUPYTER_AUTH_TOKEN`,
      name: `Jupyter token for ${whose} code`,
      type: 'string',
      default: '',
      secret: true,
      help: 'Token of that server.',
    },
    {
      key: `CODE_${use}_JUPYTER_AUTH_PASSWORD`,
      name: `Jupyter password for ${whose} code`,
      type: 'string',
      default: '',
      secret: true,
      help: 'Password of that server.',
    },
    {
      key: `CODE_${use}_JUPYTER_TIMEOUT`,
      name: `Jupyter time limit for ${whose} code`,
      type: 'integer',
      default: 60,
      minimum: 1,
      maximum: 86_400,
      help: 'How many seconds a run may take on that server.',
    },
  ] as const satisfies readonly SettingDefinition[]

/** Settings of where Python runs, and of its limits. */
export const codeSettings = [
  {
    key: 'ENABLE_CODE_EXECUTION',
    name: 'Run code in answers',
    searchWords: 'python execute',
    type: 'boolean',
    default: true,
    help: 'Lets people run the code blocks of a chat.',
  },
  {
    key: 'CODE_EXECUTION_ENGINE',
    name: 'Where people’s code runs',
    searchWords: 'python jupyter pyodide',
    type: 'string',
    default: 'pyodide',
    allowed: ENGINES,
    help: 'What runs them: the gateway’s own Python, in a window or a separate process, or a Jupyter server.',
  },
  ...jupyter('EXECUTION', 'that runs code blocks', 'people’s'),
  {
    key: 'ENABLE_CODE_INTERPRETER',
    name: 'Code interpreter',
    searchWords: 'python analysis',
    type: 'boolean',
    default: true,
    help: 'Lets models run code when a request asks for it.',
  },
  {
    key: 'CODE_INTERPRETER_ENGINE',
    name: 'Where models’ code runs',
    searchWords: 'python jupyter pyodide',
    type: 'string',
    default: 'pyodide',
    allowed: ENGINES,
    help: 'What runs code for models, as above.',
  },
  ...jupyter('INTERPRETER', 'that runs the code of models', 'models’'),
  {
    key: 'CODE_INTERPRETER_PROMPT_TEMPLATE',
    name: 'Prompt for the code interpreter',
    searchWords: 'template',
    type: 'string',
    default: PROMPT,
    help: 'Instructions about running code for models that cannot use it as a tool.',
  },
  {
    key: 'CODE_ON_GATEWAY',
    name: 'Run code on the gateway',
    searchWords: 'sandbox',
    type: 'string',
    default: 'fenced',
    allowed: ['fenced', 'always', 'never'],
    environmentOnly: true,
    help: 'Where no window runs it, code runs in a process of the gateway: where it can be fenced in (Linux with Python; desktop app), always, or never. Without a fence it can read what the account can.',
  },
  {
    key: 'CODE_INTERPRETER_MAX_ROUNDS',
    name: 'Maximum code rounds per answer',
    searchWords: 'limit loop',
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 100,
    help: 'How many times a model may run code in one answer.',
  },
  {
    key: 'CODE_TIMEOUT',
    name: 'Time limit for code',
    type: 'integer',
    default: 60,
    minimum: 1,
    maximum: 3600,
    help: 'How many seconds a run may take once the runtime is loaded.',
  },
  {
    key: 'CODE_MEMORY_LIMIT',
    name: 'Memory for code',
    searchWords: 'ram',
    type: 'integer',
    default: 1024,
    minimum: 128,
    maximum: 4096,
    help: 'How much memory one Python process may use, in MiB.',
  },
  {
    key: 'CODE_OUTPUT_LIMIT',
    name: 'Maximum output of code',
    type: 'integer',
    default: 256,
    minimum: 1,
    maximum: 4096,
    help: 'How much a run may print, in KiB; the rest is left out, and a line says so.',
  },
  {
    key: 'CODE_FILE_LIMIT',
    name: 'Maximum size of files from code',
    type: 'integer',
    default: 16,
    minimum: 0,
    maximum: 256,
    help: 'How large the files of a run may be, in MiB, both going in and coming out.',
  },
  {
    key: 'CODE_PROCESS_LIMIT',
    name: 'Code running at once',
    type: 'integer',
    default: 4,
    minimum: 1,
    maximum: 64,
    help: 'Processes of code at once, about 200 MiB each; one person has at most half of them busy. One is loaded ahead when an answer may run code without a window and twice the memory it may use is free.',
  },
  {
    key: 'CODE_IDLE_TIMEOUT',
    name: 'When idle code stops',
    type: 'integer',
    default: 600,
    minimum: 1,
    maximum: 86_400,
    help: 'After how many idle seconds the process of a chat stops and its variables are lost.',
  },
  {
    key: 'CODE_PACKAGES_URL',
    name: 'Source of Python packages',
    searchWords: 'pip mirror',
    type: 'string',
    default: 'https://cdn.jsdelivr.net/pyodide/v314.0.7/full/',
    pattern: ADDRESS,
    help: 'Address that Python packages are downloaded from when an administrator asks for it. Files with unexpected contents are rejected.',
  },
] as const satisfies readonly SettingDefinition[]

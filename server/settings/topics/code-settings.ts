import { integer, secret, text, toggle } from '../rows.ts'
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
    text(`CODE_${use}_JUPYTER_URL`, '', {
      name: `Jupyter address for ${whose} code`,
      pattern: ADDRESS,
      help: `Address of the Jupyter server ${where}.`,
    }),
    text(`CODE_${use}_JUPYTER_AUTH`, '', {
      name: `Jupyter sign-in for ${whose} code`,
      allowed: ['', 'none', 'token', 'password'],
      help: 'How the gateway signs in to that server; empty for no sign-in.',
    }),
    secret(`CODE_${use}_JUPYTER_AUTH_TOKEN`, {
      name: `Jupyter token for ${whose} code`,
      help: 'Token of that server.',
    }),
    secret(`CODE_${use}_JUPYTER_AUTH_PASSWORD`, {
      name: `Jupyter password for ${whose} code`,
      help: 'Password of that server.',
    }),
    integer(`CODE_${use}_JUPYTER_TIMEOUT`, 60, [1, 86_400], {
      name: `Jupyter time limit for ${whose} code`,
      help: 'How many seconds a run may take on that server.',
    }),
  ] as const satisfies readonly SettingDefinition[]

/** Settings of where Python runs, and of its limits. */
export const codeSettings = [
  toggle('ENABLE_CODE_EXECUTION', true, {
    name: 'Run code in answers',
    searchWords: 'python execute',
    help: 'Lets people run the code blocks of a chat.',
  }),
  text('CODE_EXECUTION_ENGINE', 'pyodide', {
    name: 'Where people’s code runs',
    searchWords: 'python jupyter pyodide',
    allowed: ENGINES,
    help: 'What runs them: the gateway’s own Python, in a window or a separate process, or a Jupyter server.',
  }),
  ...jupyter('EXECUTION', 'that runs code blocks', 'people’s'),
  toggle('ENABLE_CODE_INTERPRETER', true, {
    name: 'Code interpreter',
    searchWords: 'python analysis',
    help: 'Lets models run code when a request asks for it.',
  }),
  text('CODE_INTERPRETER_ENGINE', 'pyodide', {
    name: 'Where models’ code runs',
    searchWords: 'python jupyter pyodide',
    allowed: ENGINES,
    help: 'What runs code for models, as above.',
  }),
  ...jupyter('INTERPRETER', 'that runs the code of models', 'models’'),
  text('CODE_INTERPRETER_PROMPT_TEMPLATE', PROMPT, {
    name: 'Prompt for the code interpreter',
    searchWords: 'template',
    help: 'Instructions about running code for models that cannot use it as a tool.',
  }),
  text('CODE_ON_GATEWAY', 'fenced', {
    name: 'Run code on the gateway',
    searchWords: 'sandbox',
    allowed: ['fenced', 'always', 'never'],
    environmentOnly: true,
    help: 'Where no window runs it, code runs in a process of the gateway: where it can be fenced in (Linux with Python; desktop app), always, or never. Without a fence it can read what the account can.',
  }),
  integer('CODE_INTERPRETER_MAX_ROUNDS', 5, [1, 100], {
    name: 'Maximum code rounds per answer',
    searchWords: 'limit loop',
    help: 'How many times a model may run code in one answer.',
  }),
  integer('CODE_TIMEOUT', 60, [1, 3600], {
    name: 'Time limit for code',
    help: 'How many seconds a run may take once the runtime is loaded.',
  }),
  integer('CODE_MEMORY_LIMIT', 1024, [128, 4096], {
    name: 'Memory for code',
    searchWords: 'ram',
    help: 'How much memory one Python process may use, in MiB.',
  }),
  integer('CODE_OUTPUT_LIMIT', 256, [1, 4096], {
    name: 'Maximum output of code',
    help: 'How much a run may print, in KiB; the rest is left out, and a line says so.',
  }),
  integer('CODE_FILE_LIMIT', 16, [0, 256], {
    name: 'Maximum size of files from code',
    help: 'How large the files of a run may be, in MiB, both going in and coming out.',
  }),
  integer('CODE_PROCESS_LIMIT', 4, [1, 64], {
    name: 'Code running at once',
    help: 'Processes of code at once, about 200 MiB each; one person has at most half of them busy. One is loaded ahead when an answer may run code without a window and twice the memory it may use is free.',
  }),
  integer('CODE_IDLE_TIMEOUT', 600, [1, 86_400], {
    name: 'When idle code stops',
    help: 'After how many idle seconds the process of a chat stops and its variables are lost.',
  }),
  text('CODE_PACKAGES_URL', 'https://cdn.jsdelivr.net/pyodide/v314.0.7/full/', {
    name: 'Source of Python packages',
    searchWords: 'pip mirror',
    pattern: ADDRESS,
    help: 'Address that Python packages are downloaded from when an administrator asks for it. Files with unexpected contents are rejected.',
  }),
] as const satisfies readonly SettingDefinition[]

import { PYODIDE_VERSION } from '#contract/code.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'
import type { World } from './create-world.ts'

const CONFIG = {
  ENABLE_CODE_EXECUTION: true,
  CODE_EXECUTION_ENGINE: 'pyodide',
  CODE_EXECUTION_JUPYTER_URL: '',
  CODE_EXECUTION_JUPYTER_AUTH: '',
  CODE_EXECUTION_JUPYTER_AUTH_TOKEN: '',
  CODE_EXECUTION_JUPYTER_AUTH_PASSWORD: '',
  CODE_EXECUTION_JUPYTER_TIMEOUT: 60,
  ENABLE_CODE_INTERPRETER: true,
  CODE_INTERPRETER_ENGINE: 'pyodide',
  CODE_INTERPRETER_PROMPT_TEMPLATE: '',
  CODE_INTERPRETER_JUPYTER_URL: '',
  CODE_INTERPRETER_JUPYTER_AUTH: '',
  CODE_INTERPRETER_JUPYTER_AUTH_TOKEN: '',
  CODE_INTERPRETER_JUPYTER_AUTH_PASSWORD: '',
  CODE_INTERPRETER_JUPYTER_TIMEOUT: 60,
}

let chatId = ''
/** The owner's chat, named by queries and bodies, which are built after the parameters. */
const chat = async (world: World): Promise<Record<string, string>> => {
  chatId ||= await world.newChat()
  return {}
}

/** Rows for the code endpoints, on a system without a sandbox for processes: runs report that. */
export const codeRows: Readonly<Record<string, MatrixRow>> = {
  'code.config': admin(),
  'code.updateConfig': admin({ body: () => CONFIG }),
  'code.verify': admin({ body: () => ({ kind: 'execution' }) }),
  'code.execute': user(400, { code: '1' }),
  'code.state': user(),
  'code.run': owned(chat, { body: () => ({ code: '1', chat_id: chatId }) }),
  'code.stop': { ...user(404), params: () => ({ id: 'no-such-run' }) },
  'code.forget': { ...user(404), query: '?chat_id=no-such-chat' },
  'code.packages': admin(),
  'code.fetchPackages': admin({ body: () => ({ names: ['no-such-package'] }), status: 400 }),
  'code.stopPackages': admin(),
  'code.runtimeFile': {
    ...user(),
    params: () => ({ version: PYODIDE_VERSION, file: 'pyodide-lock.json' }),
  },
}

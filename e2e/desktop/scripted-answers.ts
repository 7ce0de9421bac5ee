import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Question {
  readonly message: string
  readonly buttons: readonly string[]
}

/** What answers the questions of a started app, which no test can reach while they are shown. */
export interface ScriptedAnswers {
  /** Given to Electron with `-r`. */
  readonly file: string
  /** Everything that was asked so far. */
  questions(): Question[]
}

/** Every question is answered with the first button that begins with `label`. */
export function scriptAnswers(folder: string, label: string): ScriptedAnswers {
  const file = path.join(folder, 'answers.cjs')
  const asked = path.join(folder, 'questions.jsonl')
  writeFileSync(asked, '')
  writeFileSync(
    file,
    `const { dialog } = require('electron')
dialog.showMessageBox = async ({ message, buttons }) => {
  require('node:fs').appendFileSync(${JSON.stringify(asked)}, JSON.stringify({ message, buttons }) + '\\n')
  return {
    response: buttons.findIndex((button) => button.startsWith(${JSON.stringify(label)})),
    checkboxChecked: false,
  }
}
`,
  )
  return {
    file,
    questions: () =>
      readFileSync(asked, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Question),
  }
}

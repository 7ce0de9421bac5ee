import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Question {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
}

/**
 * Scripted replies to the dialogs of a starting app, which tests cannot reach while they are shown.
 */
export interface ScriptedAnswers {
  /** Path of the script to pass to Electron with `-r`. */
  readonly file: string
  /** Returns every question so far. */
  questions(): Question[]
}

/** Answers every question with the first button whose label begins with `label`. */
export function scriptAnswers(folder: string, label: string): ScriptedAnswers {
  const file = path.join(folder, 'answers.cjs')
  const asked = path.join(folder, 'questions.jsonl')
  writeFileSync(asked, '')
  writeFileSync(
    file,
    `const { dialog } = require('electron')
const note = (question) =>
  require('node:fs').appendFileSync(${JSON.stringify(asked)}, JSON.stringify(question) + '\\n')
dialog.showErrorBox = (message, detail) => note({ message, detail, buttons: [] })
dialog.showMessageBox = async (...given) => {
  const { message, detail, buttons } = given.at(-1)
  note({ message, detail, buttons })
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

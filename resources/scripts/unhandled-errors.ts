// Errors outside tests, which end a run of vitest with a bad exit code, but are missing in its
// JSON report.
import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

export interface UnhandledError {
  text: string
  /** Absolute path of the test file that ran at that time, if known. */
  file: string | null
}

/** Environment variable with the path of the file that the reporter writes. */
export const UNHANDLED_ERRORS_FILE = 'UNHANDLED_ERRORS_FILE'

/** Writes them as a JSON array of `UnhandledError`. */
// oxlint-disable-next-line import/no-default-export -- vitest takes the default export of a file.
export default class UnhandledErrorsReporter implements Reporter {
  onTestRunEnd: Reporter['onTestRunEnd'] = (_modules, errors) => {
    const written = errors.map((error): UnhandledError => {
      const file: unknown = error['VITEST_TEST_PATH']
      return { text: error.stack ?? error.message, file: typeof file === 'string' ? file : null }
    })
    writeFileSync(process.env[UNHANDLED_ERRORS_FILE]!, JSON.stringify(written))
  }
}

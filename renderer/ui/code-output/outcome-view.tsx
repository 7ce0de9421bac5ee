import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { withBase } from '../../lib/base-path.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { showDocument } from '../document-viewer/shown-document.ts'
import { ErrorView } from './error-view.tsx'
import { type KeepFile, OutcomeFiles } from './outcome-files.tsx'
import { readTable } from './read-table.ts'
import type { ShownOutcome } from './shown-outcome.ts'
import { TableView } from './table-view.tsx'
import './strings.ts'
import './code-output.css'

interface TextPartProps {
  readonly label: string
  readonly text: string
  readonly isFault?: boolean
}

/** Verbatim output of the code, in a scrollable box. */
export function TextPart({ label, text, isFault = false }: TextPartProps) {
  const { t } = useTranslation()
  if (text === '') return null
  return (
    <div className="output-part" data-fault={isFault || undefined}>
      <div className="output-head">
        <span>{label}</span>
        <CopyButton text={text} label={t('code.copy', { name: label })} isSmall />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={label} dir="ltr">
        {text}
      </pre>
    </div>
  )
}

const addressOf = (picture: string): string =>
  picture.startsWith('data:') ? picture : withBase(picture)

function Pictures({ pictures }: { pictures: readonly string[] }) {
  const { t } = useTranslation()
  if (pictures.length === 0) return null
  return (
    <ul aria-label={t('code.pictures')} className="output-pictures">
      {pictures.map((picture, index) => {
        const name = t('code.picture', { number: index + 1 })
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the order of the pictures of an outcome never changes
          <li key={index}>
            <button
              type="button"
              aria-label={t('chat.files.enlarge', { name })}
              onClick={() =>
                showDocument({ kind: 'picture', name: `${name}.png`, address: addressOf(picture) })
              }
            >
              <img src={addressOf(picture)} alt={name} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** The traceback is at the end of `stderr`; it is shown with the error instead. */
const withoutTrace = ({ stderr, error }: ShownOutcome): string =>
  error && error.traceback !== '' ? stderr.replace(error.traceback, '').trimEnd() : stderr

interface OutcomeViewProps {
  readonly outcome: ShownOutcome
  /** The code that produced it. */
  readonly code: string
  readonly onKeep?: KeepFile
}

/**
 * Result of a code run: text, error, table, pictures and files. None of it can execute or load
 * anything.
 */
export function OutcomeView({ outcome, code, onKeep }: OutcomeViewProps) {
  const { t } = useTranslation()
  const { status, stdout, result, html, error, files, tooLarge, reason } = outcome
  const table = useMemo(() => (html === null ? null : readTable(html)), [html])
  const isBroken = status !== 'ok' && status !== 'error'
  const broken = isBroken
    ? t(`code.broken.${status}`, { seconds: Math.round(outcome.seconds ?? 0) })
    : ''
  // The gateway appends the same text to the output it stores of such a run.
  const stderr = withoutTrace(outcome).replace(broken, '').trimEnd()
  const isEmpty =
    !isBroken &&
    stdout === '' &&
    stderr === '' &&
    result === null &&
    !error &&
    outcome.pictures.length === 0 &&
    files.length === 0
  return (
    <div className="output">
      <TextPart label={t('code.output')} text={stdout} />
      <TextPart label={t('code.warnings')} text={stderr} isFault />
      {error && <ErrorView error={error} code={code} />}
      {isBroken && (
        <p className="output-broken">
          {broken}
          {reason !== '' && <span className="block text-muted">{reason}</span>}
        </p>
      )}
      {table ? (
        <TableView table={table} />
      ) : (
        <TextPart label={t('code.result')} text={result ?? ''} />
      )}
      <Pictures pictures={outcome.pictures} />
      <OutcomeFiles files={files} onKeep={onKeep} />
      {tooLarge.length > 0 && (
        <p className="output-note">{t('code.files.tooLarge', { names: tooLarge.join(', ') })}</p>
      )}
      {isEmpty && <p className="output-note">{t('code.nothing')}</p>}
    </div>
  )
}

import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FoldOut } from '../layout/fold-out.tsx'
import type { ShownError } from './shown-outcome.ts'

const AROUND = 2

interface NumberedLine {
  readonly number: number
  readonly text: string
}

/**
 * Returns the line of an error with its surrounding lines; empty if the error is located elsewhere.
 */
export function linesAround(code: string, line: number | null): readonly NumberedLine[] {
  const lines = code.split('\n')
  if (line === null || line < 1 || line > lines.length) return []
  const first = Math.max(1, line - AROUND)
  return lines
    .slice(first - 1, line + AROUND)
    .map((text, index) => ({ number: first + index, text }))
}

/** A Python exception, with its source line highlighted. */
export function ErrorView({ error, code }: { error: ShownError; code: string }) {
  const { t } = useTranslation()
  const lines = linesAround(code, error.line)
  const words =
    error.name === ''
      ? error.message
      : error.message === ''
        ? error.name
        : `${error.name}: ${error.message}`
  return (
    <div className="output-error">
      <p className="output-error-words">
        <CircleAlert />
        <span>
          <bdi>{words}</bdi>
          {error.line !== null && (
            <span className="output-error-line">{t('code.error.line', { line: error.line })}</span>
          )}
        </span>
      </p>
      {lines.length > 0 && (
        <ol className="output-lines" dir="ltr" aria-label={t('code.error.place')}>
          {lines.map(({ number, text }) => (
            <li
              key={number}
              data-fault={number === error.line || undefined}
              aria-current={number === error.line || undefined}
            >
              <span className="output-number" aria-hidden="true">
                {number}
              </span>
              <code translate="no">{text || ' '}</code>
              {number === error.line && <span className="sr-only">{t('code.error.here')}</span>}
            </li>
          ))}
        </ol>
      )}
      {error.traceback !== '' && error.traceback.trim() !== words && (
        <FoldOut title={t('code.error.trace')}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
          <pre className="output-trace" dir="ltr" tabIndex={0}>
            {error.traceback}
          </pre>
        </FoldOut>
      )}
    </div>
  )
}

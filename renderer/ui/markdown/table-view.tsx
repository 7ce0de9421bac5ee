import { Check, Copy, Download, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { whyNotCopied } from '../../lib/clipboard.ts'
import { downloadText } from '../../lib/download.ts'
import { BarButton } from './bar-button.tsx'
import { readTable, toCsv, toTabbed } from './table-text.ts'
import { useCopy } from './use-copy.ts'

const ICONS = { idle: <Copy />, copied: <Check />, failed: <X /> }

/** A scrollable table with copy and download buttons. */
export function TableView({ children }: { children?: ReactNode }) {
  const { t } = useTranslation()
  const table = useRef<HTMLTableElement>(null)
  const { state, copy } = useCopy()
  const rows = (): string[][] => (table.current ? readTable(table.current) : [])
  const labels = {
    idle: t('chat.tables.copy'),
    copied: t('chat.copied'),
    failed: whyNotCopied(),
  }
  return (
    <div className="table-figure" dir="auto">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
      <figure className="table-box" aria-label={t('chat.table')} tabIndex={0}>
        <table ref={table}>{children}</table>
      </figure>
      <div className="table-bar">
        <BarButton
          label={labels[state]}
          icon={ICONS[state]}
          onClick={() => void copy(toTabbed(rows()))}
        />
        <BarButton
          label={t('chat.tables.save')}
          icon={<Download />}
          onClick={() => downloadText('table.csv', toCsv(rows()), 'text/csv')}
        />
      </div>
    </div>
  )
}

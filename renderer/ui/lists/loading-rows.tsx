import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'

const WIDTHS = ['w-40', 'w-56', 'w-32'] as const

/** The list that a placeholder stands for: entries, people or calls in a table, or chats to select or restore. */
export type LoadingKind = 'entries' | 'people' | 'calls' | 'chats' | 'trash'

/** A bar in a line of text, so that the line has the height of the text it stands for. */
function Line({ width, className }: { width: string; className?: string | false }) {
  return (
    <span className={classNames('flex h-lh max-w-full items-center', className)}>
      <span className={classNames('h-2.5 max-w-full rounded-small bg-hover', width)} />
    </span>
  )
}

const MARKS: Record<LoadingKind, string> = {
  entries: 'size-9 rounded-medium',
  people: 'size-9 rounded-full',
  calls: 'my-1 h-2.5 w-16 rounded-small max-sm:hidden',
  chats: 'm-2 size-4 rounded-small pointer-coarse:m-3.5',
  trash: 'm-2 size-4 rounded-small pointer-coarse:m-3.5',
}

const ROWS: Record<LoadingKind, string> = {
  entries: 'items-start py-3 ps-3 pe-2 sm:ps-4',
  people: 'items-start px-3 py-2.5',
  calls: 'items-start px-4 py-2',
  chats: 'items-center px-3 py-1.5 pointer-coarse:ps-1',
  trash: 'items-center px-3 py-1.5 pointer-coarse:ps-1',
}

const isSelectable = (kind: LoadingKind): boolean => kind === 'chats' || kind === 'trash'

function Row({ kind, width }: { kind: LoadingKind; width: string }) {
  return (
    <div className={classNames('flex gap-3 not-first:border-t not-first:border-line', ROWS[kind])}>
      <span className={classNames('shrink-0 bg-hover', MARKS[kind])} />
      <span className="min-w-0 flex-1">
        {/* Links have a target of full size on touch screens. */}
        <Line width={width} className={kind === 'chats' && 'pointer-coarse:my-2.5'} />
        <Line width="w-24" className={classNames('text-small', kind === 'entries' && 'mt-0.5')} />
        {kind === 'people' && <Line width="w-32" className="mt-1 text-small sm:hidden" />}
      </span>
      {kind === 'people' && (
        <>
          <Line width="w-20" className="max-sm:hidden" />
          <Line width="w-16" className="max-sm:hidden" />
        </>
      )}
      {kind === 'calls' && <Line width="w-24" />}
      {isSelectable(kind) && (
        <span className="h-control w-9 rounded-medium bg-hover sm:w-24 pointer-coarse:min-h-11" />
      )}
    </div>
  )
}

/**
 * Placeholder for entries being loaded, of the shape of the list it stands for; only visible if
 * loading takes long.
 */
export function LoadingRows({ kind = 'entries' }: { kind?: LoadingKind }) {
  const { t } = useTranslation()
  return (
    <div className="animate-late overflow-hidden rounded-large border border-line bg-raised">
      <p className="sr-only">{t('common.loading')}</p>
      <div aria-hidden="true">
        {kind !== 'entries' && (
          <div
            className={classNames(
              'flex items-center border-b border-line px-3',
              isSelectable(kind) ? 'min-h-12' : 'h-11 max-sm:hidden',
            )}
          >
            <span className="h-2.5 w-16 rounded-small bg-hover" />
          </div>
        )}
        {WIDTHS.map((width) => (
          <Row key={width} kind={kind} width={width} />
        ))}
      </div>
    </div>
  )
}

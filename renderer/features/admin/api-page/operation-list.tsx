import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { Badge } from '../../../ui/marks/badge.tsx'
import { OperationDetail } from './operation-detail.tsx'
import type { ApiDocument, Operation } from './read-openapi.ts'
import type { TryItStore } from './try-it-store.ts'

interface FoldButtonProps {
  readonly isOpen: boolean
  /** Id of the element it opens. */
  readonly controls: string
  readonly onToggle: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** A line that expands its details. */
function FoldButton({ isOpen, controls, onToggle, className, children }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
      className={classNames(
        'flex w-full items-center gap-2 px-4 text-start transition-colors duration-(--motion-in) hover:bg-hover focus-visible:-outline-offset-2',
        className,
      )}
    >
      <ChevronRight
        className={classNames(
          'size-4 shrink-0 text-muted transition-transform rtl:-scale-x-100',
          isOpen && 'rotate-90',
        )}
      />
      {children}
    </button>
  )
}

interface ListProps {
  readonly schemas: ApiDocument['schemas']
  readonly model: string
  readonly store: TryItStore
}

function OperationRow({ operation, ...rest }: ListProps & { operation: Operation }) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="border-t border-line">
      <FoldButton
        isOpen={isOpen}
        controls={id}
        onToggle={() => setOpen(!isOpen)}
        className="py-2.5"
      >
        <span className="min-w-0 flex-1">
          <code className="block text-code wrap-anywhere" dir="ltr">
            <span className={operation.method === 'DELETE' ? 'text-danger' : 'text-accent'}>
              {operation.method}
            </span>{' '}
            {operation.path}
          </code>
          <span className="block text-small text-muted">
            {operation.summary}
            {operation.isOpen && ` ${t('admin.api.open')}`}
          </span>
        </span>
      </FoldButton>
      {isOpen && (
        <div id={id}>
          <OperationDetail operation={operation} {...rest} />
        </div>
      )}
    </li>
  )
}

interface OperationGroupProps extends ListProps {
  readonly tag: string
  readonly operations: readonly Operation[]
  /** True if initially open, as for search results. */
  readonly startsOpen: boolean
}

/** The calls of one tag. */
export function OperationGroup({ tag, operations, startsOpen, ...rest }: OperationGroupProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(startsOpen)
  return (
    <section className="overflow-hidden rounded-large border border-line bg-raised">
      <h2>
        <FoldButton
          isOpen={isOpen}
          controls={id}
          onToggle={() => setOpen(!isOpen)}
          className="py-3"
        >
          <span className="min-w-0 flex-1 font-medium">{tag}</span>
          <Badge>{operations.length}</Badge>
        </FoldButton>
      </h2>
      {isOpen && (
        <ul id={id}>
          {operations.map((operation) => (
            <OperationRow key={operation.id} operation={operation} {...rest} />
          ))}
        </ul>
      )}
    </section>
  )
}

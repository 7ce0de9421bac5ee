import { Download, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import {
  OUTCOMES,
  PURPOSE_KINDS,
  type Outcome,
  type OutgoingFilter,
  type PurposeKind,
} from '#contract/outgoing-connections.ts'
import { endpoints } from '../../api/client.ts'
import { downloadReply } from '../../api/download-reply.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import type { OutgoingState, OutgoingStore } from './outgoing-store.ts'

const WAIT = 250
/** Icon only where the row is narrow. */
const IN_ROW = 'h-primary max-sm:min-w-11 max-sm:px-0'

/** Search box; the text is applied shortly after the last keystroke. */
function Search({ store }: { store: OutgoingStore }) {
  const { t } = useTranslation()
  const [text, setText] = useState(store.getState().filter.text ?? '')
  useEffect(() => {
    const { text: before, ...others } = store.getState().filter
    const wanted = text.trim()
    if (wanted === (before ?? '')) return
    const timer = setTimeout(
      () => store.setState({ filter: { ...others, ...(wanted && { text: wanted }) } }),
      WAIT,
    )
    return () => clearTimeout(timer)
  }, [store, text])
  return <SearchBox label={t('outgoing.search')} value={text} onChange={setText} />
}

function Filters({ store }: { store: OutgoingStore }) {
  const { t } = useTranslation()
  const { filter, view } = useStore(store)
  const { outcome, purpose, ...others } = filter
  const change = (next: OutgoingFilter): void => store.setState({ filter: { ...others, ...next } })
  return (
    <>
      <SelectBox
        isNarrow
        aria-label={t('outgoing.view')}
        value={view}
        options={(['hosts', 'connections'] as const).map((value) => ({
          value,
          label: t(`outgoing.views.${value}`),
        }))}
        onChange={(value) => store.setState({ view: value as OutgoingState['view'] })}
      />
      <SelectBox
        isNarrow
        aria-label={t('outgoing.purpose')}
        value={purpose ?? ''}
        options={[
          { value: '', label: t('outgoing.anyPurpose') },
          ...PURPOSE_KINDS.map((value) => ({ value, label: t(`outgoing.purposes.${value}`) })),
        ]}
        onChange={(value) =>
          change({
            ...(outcome && { outcome }),
            ...(value && { purpose: value as PurposeKind }),
          })
        }
      />
      <SelectBox
        isNarrow
        aria-label={t('outgoing.outcome')}
        value={outcome ?? ''}
        options={[
          { value: '', label: t('outgoing.anyOutcome') },
          ...OUTCOMES.map((value) => ({ value, label: t(`outgoing.outcomes.${value}`) })),
        ]}
        onChange={(value) =>
          change({
            ...(purpose && { purpose }),
            ...(value && { outcome: value as Outcome }),
          })
        }
      />
    </>
  )
}

interface OutgoingToolbarProps {
  readonly store: OutgoingStore
  readonly onClear: () => void
}

/** Filters of the list, and actions on it. */
export function OutgoingToolbar({ store, onClear }: OutgoingToolbarProps) {
  const { t } = useTranslation()
  const exporting = useAction(() =>
    downloadReply(endpoints.outgoing.export, { query: store.getState().filter }),
  )
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-1.5 sm:gap-2">
        <div className="min-w-0 flex-1 sm:basis-56">
          <Search store={store} />
        </div>
        <Button
          icon={<Download className="size-4" />}
          className={IN_ROW}
          disabled={exporting.busy}
          onClick={() => void exporting.run()}
        >
          <span className="max-sm:sr-only">{t('outgoing.export')}</span>
        </Button>
        <Button icon={<Trash2 className="size-4" />} className={IN_ROW} onClick={onClear}>
          <span className="max-sm:sr-only">{t('outgoing.clear')}</span>
        </Button>
        <div className="grid w-full grid-cols-2 gap-1.5 max-sm:*:first:col-span-2 sm:grid-cols-3 sm:gap-2">
          <Filters store={store} />
        </div>
      </div>
      <FormProblem text={exporting.problem} />
    </>
  )
}

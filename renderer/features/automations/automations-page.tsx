import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Automation } from '#contract/automations.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { AutomationsPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { AddressDialog } from './address-dialog.tsx'
import { AutomationEditor, type AutomationChoices } from './automation-editor.tsx'
import { AutomationRow } from './automation-row.tsx'
import {
  cancelRun,
  removeAutomation,
  runAutomation,
  toggleAutomation,
  type AutomationsStore,
} from './automations-store.ts'
import { nameOf } from './name-of.ts'
import { RunHistory } from './run-history.tsx'
import './strings.ts'

const WAIT = 250
const LOOK_MILLISECONDS = 5000

type Sheet =
  | { readonly kind: 'edit'; readonly automation: Automation | null; readonly isExample?: boolean }
  | { readonly kind: 'history' | 'address' | 'remove'; readonly automation: Automation }

interface AutomationsPageProps {
  readonly store: AutomationsStore
  readonly choices: AutomationChoices
}

interface SheetsProps extends AutomationsPageProps {
  readonly sheet: Sheet
  readonly onClose: () => void
}

function Sheets({ store, choices, sheet, onClose }: SheetsProps) {
  const { t } = useTranslation()
  const { items } = useStore(store)
  if (sheet.kind === 'edit')
    return (
      <AutomationEditor
        store={store}
        automation={sheet.automation}
        isExample={sheet.isExample}
        choices={choices}
        onClose={onClose}
      />
    )
  const automation = items.find(({ id }) => id === sheet.automation.id) ?? sheet.automation
  if (sheet.kind === 'history') return <RunHistory automation={automation} onClose={onClose} />
  if (sheet.kind === 'address')
    return <AddressDialog store={store} automation={automation} onClose={onClose} />
  return (
    <ConfirmDialog
      onClose={onClose}
      title={t('automations.removeTitle', { name: nameOf(automation) })}
      description={t('automations.removeText')}
      confirmLabel={t('common.delete')}
      danger
      onConfirm={() => {
        onClose()
        void removeAutomation(store, automation).catch(toastError)
      }}
    />
  )
}

/** Searches shortly after the last keystroke, and reloads while an automation is running. */
function useAutomations(store: AutomationsStore) {
  const { items } = useStore(store)
  const [query, setQuery] = useState(store.getState().query)
  useEffect(() => {
    const timer = setTimeout(() => void store.load({ query: query.trim() }), query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [store, query])
  const isRunning = items.some(({ last_run: last }) => last?.status === 'running')
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => void store.reload(), LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [store, isRunning])
  return { query, setQuery }
}

/** Prompts that run automatically. */
export function AutomationsPage({ store, choices }: AutomationsPageProps) {
  const { t } = useTranslation()
  const { items, total, status, problem } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const { query, setQuery } = useAutomations(store)
  return (
    <>
      <ListPage
        text={t('automations.text')}
        load={{
          status,
          problem,
          failedTitle: t('automations.loadFailed'),
          onRetry: () => void store.load(),
        }}
        total={total}
        shown={items.length}
        isNarrowed={query.trim() !== ''}
        primary={{
          label: t('automations.create'),
          onSelect: () => setSheet({ kind: 'edit', automation: null }),
        }}
        search={{ label: t('automations.search'), value: query, onChange: setQuery }}
        empty={{
          picture: <AutomationsPicture />,
          title: t('automations.none'),
          text: t('automations.noneHint'),
          onExample: () => setSheet({ kind: 'edit', automation: null, isExample: true }),
        }}
        noMatch={t('automations.noMatch')}
      >
        <Rows label={t('automations.title')}>
          {items.map((automation) => (
            <AutomationRow
              key={automation.id}
              automation={automation}
              onEdit={() => setSheet({ kind: 'edit', automation })}
              onHistory={() => setSheet({ kind: 'history', automation })}
              onAddress={() => setSheet({ kind: 'address', automation })}
              onRemove={() => setSheet({ kind: 'remove', automation })}
              onRun={() => void runAutomation(store, automation).catch(toastError)}
              onCancel={() => void cancelRun(store, automation).catch(toastError)}
              onToggle={() => void toggleAutomation(store, automation).catch(toastError)}
            />
          ))}
        </Rows>
        {items.length < total && (
          <Button className="mx-auto mt-4" onClick={() => void store.loadMore()}>
            {t('automations.more')}
          </Button>
        )}
      </ListPage>
      {sheet && (
        <Sheets store={store} choices={choices} sheet={sheet} onClose={() => setSheet(null)} />
      )}
    </>
  )
}

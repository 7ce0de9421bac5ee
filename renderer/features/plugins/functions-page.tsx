import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { FunctionsPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { OrderBox } from '../../ui/lists/order-box.tsx'
import { byText, useListView } from '../../ui/lists/use-list-view.ts'
import { PluginList, type PluginsPageProps } from './plugin-list.tsx'
import type { PluginEntry } from './plugin-kinds.ts'
import { textOf } from './plugins-store.ts'
import { PythonNote } from './python-note.tsx'

const byName = byText(({ name }: PluginEntry) => name)
const ORDERS = {
  name: byName,
  kind: (left: PluginEntry, right: PluginEntry) =>
    left.type.localeCompare(right.type) || byName(left, right),
  state: (left: PluginEntry, right: PluginEntry) =>
    Number(left.fault === null) - Number(right.fault === null) || byName(left, right),
}

/** The filters, actions and coded models of the gateway. */
export function FunctionsPage(props: PluginsPageProps) {
  const { store, admin, mayCreate, onOpen } = props
  const { t } = useTranslation()
  const { items, status, problem } = useStore(store)
  const view = useListView({ items, textOf, orders: ORDERS })
  useEffect(() => void store.load(), [store])
  return (
    <ListPage
      text={t('plugins.functionsText')}
      load={{
        status,
        problem,
        failedTitle: t('plugins.loadFailed'),
        onRetry: () => void store.load(),
      }}
      total={items.length}
      shown={view.shown.length}
      isNarrowed={view.isNarrowed}
      primary={mayCreate ? { label: t('plugins.create'), onSelect: () => onOpen('') } : null}
      note={admin && <PythonNote />}
      search={{ label: t('plugins.search'), value: view.query, onChange: view.setQuery }}
      choices={<OrderBox {...view.order} />}
      empty={{
        picture: <FunctionsPicture />,
        title: t('plugins.noFunction'),
        text: t('plugins.noFunctionHint'),
      }}
      noMatch={t('plugins.noMatch')}
    >
      <PluginList props={props} shown={view.shown} label={t('plugins.functions')} />
    </ListPage>
  )
}

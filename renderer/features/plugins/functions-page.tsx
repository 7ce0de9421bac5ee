import { useTranslation } from 'react-i18next'
import { FunctionsPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
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
  const list = useListPage({
    store,
    textOf,
    orders: ORDERS,
    labels: { failed: t('plugins.loadFailed'), search: t('plugins.search') },
  })
  return (
    <ListPage
      {...list.page}
      text={t('plugins.functionsText')}
      primary={mayCreate ? { label: t('plugins.create'), onSelect: () => onOpen('') } : null}
      note={admin && <PythonNote />}
      empty={{
        picture: <FunctionsPicture />,
        title: t('plugins.noFunction'),
        text: t('plugins.noFunctionHint'),
      }}
      noMatch={t('plugins.noMatch')}
    >
      <PluginList props={props} shown={list.shown} label={t('plugins.functions')} />
    </ListPage>
  )
}

import '../../../lib/strings/admin.ts'
import { Download } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../../api/client.ts'
import { useLoaded } from '../../../api/use-loaded.ts'
import { isAtGateway } from '../../../lib/is-at-gateway.ts'
import { downloadText } from '../../../lib/download.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { PageSection } from '../../../ui/layout/page-section.tsx'
import { SearchBox } from '../../../ui/fields/search-box.tsx'
import { LoadState } from '../load-state.tsx'
import { OperationGroup } from './operation-list.tsx'
import { groupOperations, readOpenApi } from './read-openapi.ts'
import { createTryItStore, dropKey } from './try-it-store.ts'
import { gatewayAddress } from '../../../lib/base-path.ts'

/** The gateway's URL for clients, and who can reach it. */
function Address() {
  const { t } = useTranslation()
  const base = `${gatewayAddress()}/api`
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-large border border-line bg-raised px-4 py-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-small text-muted">{t('admin.api.base')}</p>
        <code className="block wrap-anywhere" dir="ltr">
          {base}
        </code>
        <p className="mt-1 text-small text-pretty text-muted">
          {isAtGateway() ? t('admin.api.onlyHere') : t('admin.api.fromElsewhere')}
        </p>
      </div>
      <CopyButton text={base} label={t('admin.api.copyBase')} />
    </div>
  )
}

/** Every call of the API, searchable, with samples to copy and a form to try it. Works offline. */
export function ApiPage({ model }: { model: string }) {
  const { t } = useTranslation()
  const {
    value: document,
    problem,
    reload,
  } = useLoaded(() => call(endpoints.system.openapi, {}), [])
  const [query, setQuery] = useState('')
  const [store] = useState(createTryItStore)
  // A key that could not be revoked expires by itself within minutes.
  useEffect(() => () => void dropKey(store).catch(() => undefined), [store])
  const api = useMemo(() => document && readOpenApi(document), [document])
  const groups = useMemo(() => (api ? groupOperations(api.operations, query) : []), [api, query])
  return (
    <PageSection
      text={t('admin.api.text')}
      action={
        document && (
          <Button
            icon={<Download className="size-4" />}
            onClick={() =>
              downloadText('openapi.json', JSON.stringify(document, null, 2), 'application/json')
            }
          >
            {t('admin.api.download')}
          </Button>
        )
      }
    >
      <Address />
      <LoadState
        status={api ? 'ready' : problem ? 'failed' : 'loading'}
        problem={problem}
        title={t('admin.api.loadFailed')}
        onRetry={reload}
      />
      {api && (
        <div className="flex flex-col gap-3">
          <SearchBox
            label={t('admin.api.search', { count: api.operations.length })}
            value={query}
            onChange={setQuery}
          />
          {groups.length === 0 && <EmptyState title={t('admin.api.none')} />}
          {groups.map(([tag, operations]) => (
            <OperationGroup
              key={`${tag} ${query.trim() !== ''}`}
              tag={tag}
              operations={operations}
              startsOpen={query.trim() !== ''}
              schemas={api.schemas}
              model={model}
              store={store}
            />
          ))}
        </div>
      )}
    </PageSection>
  )
}

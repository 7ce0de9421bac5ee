import '../../lib/strings/access.ts'
import { Command } from 'cmdk'
import { Search, UserRound, UsersRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A user or group that can be granted a permission. */
export interface Principal {
  readonly type: 'user' | 'group'
  readonly id: string
  readonly name: string
  /** Distinguishes users of the same name. */
  readonly detail?: string
}

/** Loaders of users and groups; `describe` returns names by `type:id`. */
export interface PrincipalLoaders {
  readonly search: (query: string, signal: AbortSignal) => Promise<readonly Principal[]>
  readonly describe: (
    principals: readonly Pick<Principal, 'type' | 'id'>[],
  ) => Promise<ReadonlyMap<string, string>>
}

const WAIT = 180

interface Found {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly principals: readonly Principal[]
}

function useFound(loaders: PrincipalLoaders, query: string): Found {
  const [found, setFound] = useState<Found>({ status: 'loading', principals: [] })
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(
      () => {
        loaders
          .search(query.trim(), abort.signal)
          .then((principals) => setFound({ status: 'ready', principals }))
          .catch(() => {
            if (!abort.signal.aborted) setFound({ status: 'failed', principals: [] })
          })
      },
      query ? WAIT : 0,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [loaders, query])
  return found
}

/** Finds users and groups by name. */
export function PrincipalSearch({
  loaders,
  onChoose,
}: {
  loaders: PrincipalLoaders
  onChoose: (principal: Principal) => void
}) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const { status, principals } = useFound(loaders, query)
  const empty =
    status === 'loading'
      ? t('common.loading')
      : status === 'failed'
        ? t('access.searchFailed')
        : t('access.nobody')
  return (
    <Command shouldFilter={false} loop label={t('access.search')}>
      <div className="flex items-center gap-1 border-b border-line ps-3">
        <Search className="size-4 shrink-0 text-muted" />
        <Command.Input
          value={query}
          onValueChange={setQuery}
          placeholder={t('access.search')}
          className="h-11 min-w-0 flex-1 bg-transparent px-1.5 outline-none"
        />
      </div>
      <Command.List className="fades-below max-h-72 overflow-y-auto p-1" label={t('access.found')}>
        {principals.map((principal) => (
          <Command.Item
            key={`${principal.type}:${principal.id}`}
            value={`${principal.type}:${principal.id}`}
            onSelect={() => onChoose(principal)}
            className="flex min-h-9 items-center gap-2.5 rounded-small px-2 py-1 data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
          >
            {principal.type === 'group' ? <UsersRound /> : <UserRound />}
            <span className="min-w-0 flex-1">
              <bdi className="block truncate">{principal.name}</bdi>
              {principal.detail && (
                <bdi className="block truncate text-small text-muted">{principal.detail}</bdi>
              )}
            </span>
          </Command.Item>
        ))}
        <Command.Empty className="px-4 py-6 text-center text-small text-muted">
          {empty}
        </Command.Empty>
      </Command.List>
    </Command>
  )
}

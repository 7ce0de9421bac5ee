import { Plus, UserRound, X } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CalendarEvent } from '#contract/calendars.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import {
  PrincipalSearch,
  type Principal,
  type PrincipalLoaders,
} from '../../ui/access/principal-search.tsx'

interface AttendeesFieldProps {
  readonly ids: readonly string[]
  /** Responses of existing attendees. */
  readonly answers: CalendarEvent['attendees']
  readonly people: PrincipalLoaders
  /** Absent if the user cannot invite anyone. */
  readonly onChange?: (ids: readonly string[]) => void
}

/** Returns the names of users by id; unknown names are replaced by the id. */
function useNames(ids: readonly string[], people: PrincipalLoaders) {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const missing = ids.filter((id) => !names.has(id))
  const key = missing.join(' ')
  useEffect(() => {
    if (key === '') return
    let isOver = false
    const wanted = key.split(' ').map((id) => ({ type: 'user' as const, id }))
    void people.describe(wanted).then((found) => {
      if (isOver) return
      const named = wanted.map(({ id }) => [id, found.get(`user:${id}`) ?? id] as const)
      setNames((before) => new Map([...before, ...named]))
    })
    return () => {
      isOver = true
    }
  }, [key, people])
  return names
}

/** Attendees and their responses. */
export function AttendeesField({ ids, answers, people, onChange }: AttendeesFieldProps) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  const titleId = useId()
  const names = useNames(ids, people)
  const persons = useMemo(
    (): PrincipalLoaders => ({
      ...people,
      search: async (query, signal) =>
        (await people.search(query, signal)).filter(({ type }) => type === 'user'),
    }),
    [people],
  )
  const add = ({ id }: Principal): void => {
    setAdding(false)
    if (!ids.includes(id)) onChange?.([...ids, id])
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 id={titleId} className="font-medium">
          {t('calendar.people')}
        </h3>
        {onChange && (
          <Popover
            open={isAdding}
            onOpenChange={setAdding}
            align="end"
            label={t('calendar.invite')}
            className="w-80"
            trigger={<Button icon={<Plus className="size-4" />}>{t('calendar.invite')}</Button>}
          >
            <PrincipalSearch loaders={persons} onChoose={add} />
          </Popover>
        )}
      </div>
      {ids.length === 0 ? (
        <p className="text-small text-muted">{t('calendar.nobody')}</p>
      ) : (
        <ul
          aria-labelledby={titleId}
          className="divide-y divide-line rounded-medium border border-line"
        >
          {ids.map((id) => {
            const name = names.get(id) ?? '…'
            const status = answers.find(({ user_id }) => user_id === id)?.status ?? 'pending'
            return (
              <li key={id} className="flex min-h-11 items-center gap-2.5 ps-3 pe-1.5">
                <UserRound className="size-4 shrink-0 text-muted" />
                <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
                <span className="text-small text-muted">{t(`calendar.statuses.${status}`)}</span>
                {onChange && (
                  <IconButton
                    label={t('calendar.disinvite', { name })}
                    icon={<X />}
                    onClick={() => onChange(ids.filter((each) => each !== id))}
                  />
                )}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

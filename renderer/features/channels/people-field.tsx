import { Plus, UsersRound, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import {
  type Principal,
  PrincipalSearch,
  type PrincipalLoaders,
} from '../../ui/access/principal-search.tsx'
import { Avatar, personPicture } from '../../ui/marks/avatar.tsx'

interface PeopleFieldProps {
  readonly label: string
  readonly hint: string
  readonly chosen: readonly Principal[]
  readonly loaders: PrincipalLoaders
  readonly onChange: (chosen: readonly Principal[]) => void
}

const isSame = (left: Principal, right: Principal): boolean =>
  left.type === right.type && left.id === right.id

/** Field of users and groups, each with a remove button. */
export function PeopleField({ label, hint, chosen, loaders, onChange }: PeopleFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const [adding, setAdding] = useState(false)
  const add = (principal: Principal): void => {
    setAdding(false)
    if (!chosen.some((each) => isSame(each, principal))) onChange([...chosen, principal])
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 id={id} className="font-medium">
          {label}
        </h3>
        <Popover
          open={adding}
          onOpenChange={setAdding}
          align="end"
          label={t('channels.people.add')}
          className="w-80"
          trigger={<Button icon={<Plus className="size-4" />}>{t('channels.people.add')}</Button>}
        >
          <PrincipalSearch loaders={loaders} onChoose={add} />
        </Popover>
      </div>
      {chosen.length === 0 ? (
        <p className="text-small text-muted">{hint}</p>
      ) : (
        <ul aria-labelledby={id} className="flex flex-wrap gap-1.5">
          {chosen.map((principal) => (
            <li
              key={`${principal.type}:${principal.id}`}
              className="flex max-w-full items-center gap-1.5 rounded-full border border-line bg-sunken py-0.5 ps-1 pe-0.5"
            >
              {principal.type === 'group' ? (
                <UsersRound className="ms-1 size-4 text-muted" />
              ) : (
                <Avatar
                  size="small"
                  name={principal.name}
                  id={principal.id}
                  picture={personPicture(principal.id)}
                />
              )}
              <bdi className="min-w-0 truncate">{principal.name}</bdi>
              <IconButton
                size="small"
                label={t('channels.people.remove', { name: principal.name })}
                icon={<X />}
                className="rounded-full!"
                onClick={() => onChange(chosen.filter((each) => !isSame(each, principal)))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

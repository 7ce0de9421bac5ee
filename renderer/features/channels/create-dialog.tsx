import { Hash, LockKeyhole, MessageCircle, UsersRound } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGrant } from '#contract/access.ts'
import type { ChannelInput, OpenChannel } from '#contract/channels.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import type { Principal, PrincipalLoaders } from '../../ui/access/principal-search.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { ChannelAccess, grantsToAll } from './channel-access.tsx'
import { PeopleField } from './people-field.tsx'
import './strings.ts'

const KINDS = ['public', 'private', 'group', 'dm'] as const
type Kind = (typeof KINDS)[number]

const ICONS: Readonly<Record<Kind, ReactNode>> = {
  public: <Hash />,
  private: <LockKeyhole />,
  group: <UsersRound />,
  dm: <MessageCircle />,
}

function KindChoice({
  kinds,
  kind,
  onChange,
}: {
  kinds: readonly Kind[]
  kind: Kind
  onChange: (kind: Kind) => void
}) {
  const { t } = useTranslation()
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="sr-only">{t('channels.create.kind')}</legend>
      {kinds.map((each) => (
        <label
          key={each}
          className="relative flex cursor-default items-start gap-3 rounded-medium border border-line p-3 hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
        >
          <input
            type="radio"
            name="channel-kind"
            value={each}
            checked={each === kind}
            onChange={() => onChange(each)}
            className="absolute opacity-0"
          />
          {ICONS[each]}
          <span className="min-w-0">
            <span className="block font-medium">{t(`channels.create.kinds.${each}`)}</span>
            <span className="block text-small text-pretty text-muted">
              {t(`channels.create.kindHints.${each}`)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface Form {
  readonly kind: Kind
  readonly name: string
  readonly description: string
  readonly grants: readonly AccessGrant[]
  readonly people: readonly Principal[]
}

function toInput({ kind, name, description, grants, people }: Form): ChannelInput {
  const idsOf = (type: Principal['type']): string[] =>
    people.filter((each) => each.type === type).map(({ id }) => id)
  const members = { user_ids: idsOf('user'), group_ids: idsOf('group') }
  if (kind === 'dm') return { type: 'dm', name: '', user_ids: members.user_ids }
  const named = { name: name.trim(), description: description.trim() || null }
  if (kind === 'group') return { ...named, type: 'group', ...members }
  const isPrivate = kind === 'private'
  return {
    ...named,
    type: null,
    is_private: isPrivate,
    access_grants: isPrivate ? grants.filter(({ principal_id: id }) => id !== '*') : [...grants],
  }
}

interface CreateDialogProps {
  /** True for administrators, who alone create public channels. */
  readonly isAdmin: boolean
  readonly loaders: PrincipalLoaders
  /** Kind that is initially selected. */
  readonly first: 'channel' | 'dm'
  readonly onCreated: (channel: OpenChannel) => void
  readonly onClose: () => void
}

/** Dialog that creates a channel of any kind. */
export function CreateDialog({ isAdmin, loaders, first, onCreated, onClose }: CreateDialogProps) {
  const { t } = useTranslation()
  const kinds = isAdmin ? KINDS : KINDS.filter((each) => each === 'group' || each === 'dm')
  const [form, setForm] = useState<Form>({
    kind: first === 'dm' ? 'dm' : kinds[0]!,
    name: '',
    description: '',
    grants: grantsToAll('write'),
    people: [],
  })
  const [isTried, setTried] = useState(false)
  const change = (part: Partial<Form>): void => setForm((before) => ({ ...before, ...part }))
  const field = fieldsOf(form, change)
  const { kind } = form
  // A conversation has fixed members, which a group of the gateway does not.
  const people = useMemo<PrincipalLoaders>(
    () => ({
      ...loaders,
      search: async (query, signal) =>
        (await loaders.search(query, signal)).filter(({ type }) => type === 'user'),
    }),
    [loaders],
  )
  const creating = useAction(
    () => call(endpoints.channels.create, { body: toInput(form) }),
    onCreated,
  )
  const nameProblem =
    kind !== 'dm' && form.name.trim() === '' ? t('channels.create.nameMissing') : null
  const peopleProblem =
    kind === 'dm' && form.people.length === 0 ? t('channels.create.peopleMissing') : null
  const problem = isTried ? (peopleProblem ?? creating.problem) : creating.problem
  return (
    <FormDialog
      wide
      title={t('channels.create.title')}
      description={t('channels.create.text')}
      noValidate
      submission={{
        ...creating,
        problem,
        handleSubmit: (event) => {
          event.preventDefault()
          setTried(true)
          if (nameProblem === null && peopleProblem === null) void creating.run()
        },
      }}
      submitLabel={t(kind === 'dm' ? 'channels.create.begin' : 'channels.create.create')}
      onClose={onClose}
    >
      <KindChoice kinds={kinds} kind={kind} onChange={(next) => change({ kind: next })} />
      {kind !== 'dm' && (
        <>
          <TextField
            label={t('channels.create.name')}
            data-first-focus=""
            {...field('name')}
            maxLength={200}
            autoComplete="off"
            error={isTried ? nameProblem : null}
          />
          <TextArea
            label={t('channels.create.description')}
            hint={t('channels.create.descriptionHint')}
            rows={2}
            maxLength={2000}
            {...field('description')}
          />
        </>
      )}
      {(kind === 'public' || kind === 'private') && (
        <ChannelAccess
          grants={form.grants}
          isPrivate={kind === 'private'}
          loaders={loaders}
          onChange={(grants) => change({ grants })}
        />
      )}
      {(kind === 'group' || kind === 'dm') && (
        <PeopleField
          label={t('channels.create.people')}
          hint={t(kind === 'dm' ? 'channels.create.peopleHintDm' : 'channels.create.peopleHint')}
          chosen={kind === 'dm' ? form.people.filter(({ type }) => type === 'user') : form.people}
          loaders={kind === 'dm' ? people : loaders}
          onChange={(chosen) => change({ people: chosen })}
        />
      )}
    </FormDialog>
  )
}

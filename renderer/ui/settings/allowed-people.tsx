import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { type SettingsPage, toPath } from '../../lib/router.ts'

type Feature = 'code_interpreter' | 'image_generation'

/** Who may use a feature: everybody, or the members of some groups. */
export interface Allowed {
  readonly everybody: boolean
  readonly groups: readonly string[]
}

async function readAllowed(feature: Feature): Promise<Allowed> {
  const [groups, defaults] = await Promise.all([
    call(endpoints.groups.list, {}),
    call(endpoints.users.defaultPermissions, {}),
  ])
  return {
    everybody: defaults.features[feature],
    groups: groups
      .filter(({ permissions }) => permissions['features']?.[feature] === true)
      .map(({ name }) => name),
  }
}

function PageLink({ page }: { page: SettingsPage }) {
  const { t } = useTranslation()
  return (
    <a
      href={toPath({ name: 'settings', page })}
      onClick={handleLink}
      className="font-medium whitespace-nowrap text-accent"
    >
      {t(`settings.pages.${page}`)}
    </a>
  )
}

/** Says who may use a feature, with links to the pages that change it. */
export function AllowedPeople({
  feature,
  describe,
}: {
  feature: Feature
  describe: (allowed: Allowed) => string
}) {
  const [allowed, setAllowed] = useState<Allowed | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    readAllowed(feature).then(setAllowed, (thrown: unknown) => setProblem(toSentence(thrown)))
  }, [feature])
  return (
    <>
      {problem !== null ? (
        <span className="text-danger">{problem}</span>
      ) : (
        allowed && describe(allowed)
      )}{' '}
      <PageLink page="permissions" />
      {' · '}
      <PageLink page="groups" />
    </>
  )
}

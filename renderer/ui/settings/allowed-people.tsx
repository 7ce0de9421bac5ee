import { call, endpoints } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { PageLink } from './page-link.tsx'

type Feature = 'code_interpreter' | 'image_generation'

/** Users who may use a feature: everyone, or the members of some groups. */
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

/** Shows who may use a feature, with links to the pages that change it. */
export function AllowedPeople({
  feature,
  describe,
}: {
  feature: Feature
  describe: (allowed: Allowed) => string
}) {
  const { value: allowed, problem } = useLoaded(() => readAllowed(feature), [feature])
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

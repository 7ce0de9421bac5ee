import { toUrl } from '../../api/client.ts'
import { endpoints } from '../../api/client.ts'
import { classNames } from '../../lib/class-names.ts'

/** The picture of a model, or the built-in one of its id. */
export function ModelPicture({
  id,
  address,
  className,
}: {
  id: string
  address?: string
  className?: string
}) {
  const source = address?.startsWith('data:')
    ? address
    : toUrl(endpoints.models.profileImage, { query: { id } })
  return (
    <img
      src={source}
      alt=""
      width={32}
      height={32}
      loading="lazy"
      className={classNames('shrink-0 rounded-medium bg-hover object-cover', className ?? 'size-8')}
    />
  )
}

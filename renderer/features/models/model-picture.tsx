import { modelPicture } from '../../api/model-picture.ts'
import { ModelMark } from '../../ui/model-mark.tsx'

/** The picture of a model; a newly chosen one is shown before it is stored. */
export const ModelPicture = ({
  id,
  address,
  className,
}: {
  id: string
  address?: string
  className?: string
}) => (
  <ModelMark
    source={address?.startsWith('data:') ? address : modelPicture(id)}
    className={className}
  />
)

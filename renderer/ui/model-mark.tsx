import { classNames } from '../lib/class-names.ts'

/** The picture of a model beside its name; decorative, as screen readers read the name. */
export const ModelMark = ({ source, className }: { source: string; className?: string }) => (
  <img
    src={source}
    alt=""
    width={32}
    height={32}
    loading="lazy"
    decoding="async"
    className={classNames('shrink-0 rounded-medium bg-hover object-cover', className ?? 'size-8')}
  />
)

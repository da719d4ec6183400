import { CopyButton } from './copy-button.tsx'
import { shortId } from './text.ts'

/** An address, hash or id in short, with a link where there is one, and a button that copies all of it. */
export const Identifier = ({
  id,
  what,
  href,
}: {
  readonly id: string
  readonly what: string
  readonly href?: string | undefined
}) => (
  <span className="id">
    {href === undefined ? (
      <span className="mono" title={id}>
        {shortId(id)}
      </span>
    ) : (
      <a className="mono" href={href} title={id} target="_blank" rel="noreferrer">
        {shortId(id)}
      </a>
    )}
    <CopyButton text={id} what={what} />
  </span>
)

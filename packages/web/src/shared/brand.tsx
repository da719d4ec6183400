/** The name, which leads to the start. */
export const Brand = ({ home }: { readonly home: string }) => (
  <a className="mark" href={home}>
    <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
      <rect width="26" height="26" rx="7" fill="var(--accent)" />
      <path
        d="M7 10.2h9.2M13.4 6.8l3.4 3.4-3.4 3.4M19 15.8H9.8M12.6 12.4l-3.4 3.4 3.4 3.4"
        transform="translate(0 0)"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
    OpenRFQ
  </a>
)

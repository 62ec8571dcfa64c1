import type { DeviceCode } from 'parley-a2a/oauth';
import styles from '../tools.module.css';

/** What the person has to do next: type a code on a page, or log in on one. */
export function LoginStep({ step }: { readonly step: DeviceCode | string }) {
  const page = typeof step === 'string' ? step : step.verificationUri;
  return (
    <div role="status" className={styles.step}>
      <p>
        {typeof step === 'string'
          ? 'Log in on this page; it opens in another window and comes back by itself.'
          : 'Open this page and type the code.'}{' '}
        Look at whom the address belongs to before you log in:
      </p>
      <p>
        <a href={page} target="_blank" rel="noopener noreferrer">
          {typeof step === 'string' ? `Log in at ${new URL(page).origin}` : page}
        </a>
      </p>
      {typeof step !== 'string' && (
        <p>
          <span className={styles.code}>{step.userCode}</span>
        </p>
      )}
    </div>
  );
}

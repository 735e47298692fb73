import { X509Certificate } from 'node:crypto';
import { newId } from '../../base/ids.ts';

/** A key pair with a certificate that it has signed itself. */
export interface KeyPair {
  /** PEM. */
  readonly certificate: string;
  /** PKCS #8, base64. */
  readonly privateKey: string;
}

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 3_072,
};

/** The object identifier of the common name (RFC 5280, appendix A.1). */
const commonName = '2.5.4.3';

/** Returns an RSA key pair and its self-signed X.509 certificate (RFC 5280) for a period. */
export async function createKeyPair({
  notBefore,
  notAfter,
}: {
  readonly notBefore: Date;
  readonly notAfter: Date;
}): Promise<KeyPair> {
  const [{ Certificate, AttributeTypeAndValue, Time }, { Integer, Utf8String }] = await Promise.all([
    import('pkijs'),
    import('asn1js'),
  ]);
  const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = new Certificate();
  const named = () =>
    new AttributeTypeAndValue({ type: commonName, value: new Utf8String({ value: 'Atrium' }) });
  // The third version, which is counted from zero.
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: serialNumber() });
  certificate.issuer.typesAndValues.push(named());
  certificate.subject.typesAndValues.push(named());
  certificate.notBefore = new Time({ value: notBefore });
  certificate.notAfter = new Time({ value: notAfter });
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, 'SHA-256');
  const der = Buffer.from(certificate.toSchema(true).toBER());
  return {
    certificate: new X509Certificate(der).toString(),
    privateKey: Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64'),
  };
}

/** A UUID without its first bits, since a serial number is positive. */
function serialNumber(): ArrayBuffer {
  const bytes = Uint8Array.from(Buffer.from(newId().replaceAll('-', ''), 'hex'));
  bytes[0] = 1;
  return bytes.buffer;
}

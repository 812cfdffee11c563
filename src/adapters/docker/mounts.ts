import type Docker from 'dockerode';
import type { Mount } from '../../activities/tests/ports.js';
import { layerFolders } from '../process/sandbox.js';

type Layered = Mount & { readonly layer: string };
const isLayered = (mount: Mount): mount is Layered => mount.layer !== undefined;

/** Returns mounts for the engine's API. A layered mount is a volume of this container: an overlay over the folder. */
export function mountOptions(mounts: readonly Mount[]): Pick<Docker.HostConfig, 'Binds' | 'Mounts'> {
  const plain = mounts.filter((mount) => !isLayered(mount));
  return {
    Binds: plain.map(({ host, path, writable }) => `${host}:${path}${writable ? '' : ':ro'}`),
    Mounts: mounts.filter(isLayered).map((mount) => ({
      Type: 'volume',
      Source: '',
      Target: mount.path,
      VolumeOptions: {
        NoCopy: true,
        Labels: {},
        DriverConfig: { Name: 'local', Options: { type: 'overlay', device: 'overlay', o: overlay(mount) } },
      },
    })),
  };
}

export function mountArguments(mount: Mount): readonly string[] {
  const { host, path, writable } = mount;
  if (!isLayered(mount)) return ['--volume', `${host}:${path}${writable ? '' : ':ro'}`];
  const driver = 'volume-nocopy,volume-driver=local,volume-opt=type=overlay,volume-opt=device=overlay';
  return ['--mount', `type=volume,target=${path},${driver},"volume-opt=o=${overlay(mount)}"`];
}

function overlay({ host, layer }: Layered): string {
  const [upper, own] = layerFolders(layer);
  return `lowerdir=${host},upperdir=${upper},workdir=${own},index=off`;
}

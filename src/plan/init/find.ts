import type { Checkout } from '../../model/checkout.js';
import { fail } from '../../model/failure.js';
import { dockerProject } from './docker.js';
import { problems } from './errors.js';
import { type Folder, isLeftOut } from './lookup.js';
import { mavenProject } from './maven.js';
import type { Project } from './project.js';
import { pythonProject } from './python.js';

export interface FoundProjects {
  readonly released: readonly Project[];
  /** Projects that the file only mentions, with the reason. */
  readonly mentioned: readonly { readonly project: Project; readonly why: string }[];
}

const MARKS = /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg|pom\.xml|Dockerfile)$/;
const OTHERS = /^(Cargo\.toml|CMakeLists\.txt|package\.json|go\.mod|build\.gradle(\.kts)?|Makefile)$/;

/** Finds projects of a checkout that one release can hold. Throws INIT_FILE_BROKEN, INIT_NOTHING_FOUND or
 * INIT_SEVERAL_PROJECTS. */
export function findProjects(checkout: Checkout): FoundProjects {
  const broken = checkout.broken.filter(({ path }) => !isLeftOut(path));
  if (broken.length > 0) throw fail(broken.map(problems.broken));
  const own = projectsIn({ path: '', checkout });
  const below = own.length > 0 ? [] : nearest(checkout);
  const all = own.length > 0 ? own : below;
  if (all.length === 0) {
    const seen = checkout.paths.filter((path) => OTHERS.test(path));
    throw fail(problems.nothing(checkout.name, seen));
  }
  return divided(all);
}

function projectsIn(folder: Folder): readonly Project[] {
  return [pythonProject(folder), mavenProject(folder), dockerProject(folder)].flatMap((one) => one ?? []);
}

/** Finds the projects nearest to the top. A folder below a project is part of it. */
function nearest(checkout: Checkout): readonly Project[] {
  const folders = [
    ...new Set(
      checkout.paths
        .filter((path) => MARKS.test(path) && !isLeftOut(path))
        .map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))),
    ),
  ];
  const isPart = (path: string): boolean => folders.some((other) => other !== path && path.startsWith(`${other}/`));
  return folders
    .filter((path) => !isPart(path))
    .sort()
    .flatMap((path) => projectsIn({ path, checkout }));
}

/** Selects projects with one version, that of the first project. Projects in several folders must agree. */
function divided(all: readonly Project[]): FoundProjects {
  const packages = all.filter(({ kind }) => kind !== 'docker');
  const made = packages.length > 0 ? packages : all;
  const version = made[0]!.version?.value ?? null;
  const others = made.filter((project) => (project.version?.value ?? null) !== version);
  if (others.length > 0 && new Set(made.map(({ folder }) => folder)).size > 1)
    throw fail(
      problems.several(
        made.map((project) => ({ where: project.folder || '.', version: project.version?.value ?? null })),
      ),
    );
  return {
    released: made.filter((project) => !others.includes(project)),
    mentioned: [
      ...others.map((project) => ({
        project,
        why: `its version ${project.version?.value ?? 'is unknown and'} differs from ${version ?? 'the first one'}`,
      })),
      ...all
        .filter((project) => !made.includes(project))
        .map((project) => ({ project, why: 'an image besides the packages is a choice' })),
    ],
  };
}

/* skiff._core: the C core, seen from Python. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "skiff.h"

static PyObject *displacement(PyObject *self, PyObject *args) {
  PyObject *given;
  double spacing;
  (void)self;
  if (!PyArg_ParseTuple(args, "Od", &given, &spacing)) return NULL;
  PyObject *list = PySequence_Fast(given, "areas must be a sequence of numbers");
  if (list == NULL) return NULL;
  Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
  double *areas = PyMem_New(double, count > 0 ? count : 1);
  if (areas == NULL) {
    Py_DECREF(list);
    return PyErr_NoMemory();
  }
  for (Py_ssize_t i = 0; i < count; i++) areas[i] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(list, i));
  double volume = PyErr_Occurred() ? 0 : skiff_displacement(areas, (size_t)count, spacing);
  PyMem_Free(areas);
  Py_DECREF(list);
  if (PyErr_Occurred()) return NULL;
  if (volume < 0 && (count < 3 || count % 2 == 0 || !(spacing > 0)))
    return PyErr_Format(PyExc_ValueError, "an odd number of sections, at least 3, and a spacing above 0; got %zd", count);
  return PyFloat_FromDouble(volume);
}

static PyObject *friction(PyObject *self, PyObject *args) {
  double reynolds;
  (void)self;
  if (!PyArg_ParseTuple(args, "d", &reynolds)) return NULL;
  double coefficient = skiff_friction(reynolds);
  if (coefficient < 0) {
    PyErr_SetString(PyExc_ValueError, "a Reynolds number above 100");
    return NULL;
  }
  return PyFloat_FromDouble(coefficient);
}

static PyObject *text(PyObject *self, PyObject *args) {
  double volume;
  char words[512]; /* the longest double has 309 digits */
  (void)self;
  if (!PyArg_ParseTuple(args, "d", &volume)) return NULL;
  skiff_text(words, sizeof words, volume);
  return PyUnicode_FromString(words);
}

static PyObject *machine(PyObject *self, PyObject *none) {
  (void)self;
  (void)none;
  return PyUnicode_FromString(skiff_machine());
}

static PyMethodDef methods[] = {
    {"displacement", displacement, METH_VARARGS, "displacement(areas, spacing): cubic metres, by Simpson's first rule."},
    {"friction", friction, METH_VARARGS, "friction(reynolds): the ITTC line of 1957."},
    {"text", text, METH_VARARGS, "text(volume): '4.000 m3'."},
    {"machine", machine, METH_NOARGS, "machine(): what this library was compiled for, as uname -m says it."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "skiff._core", "The C core of skiff.", -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void) { return PyModule_Create(&module); }

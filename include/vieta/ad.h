// ad: exact derivatives of any generic C++ callable.
#pragma once

#include "ad/ad.h"
